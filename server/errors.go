package server

import (
	"errors"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/internal/coral"
	"github.com/dynalite-go/dynalite/wire"
)

// frontError is an error of the steps before an operation's own.
func frontError(code, message string) *api.Error {
	return &api.Error{Code: code, Message: message}
}

// serviceError turns whatever a step of an operation returned into the error to answer.
func serviceError(err error) *api.Error {
	if e, ok := err.(*api.Error); ok { // the common case, without the search of errors.As
		return e
	}
	var (
		service *api.Error
		syntax  *coral.SyntaxError
		types   *coral.TypeError
	)
	switch {
	case errors.As(err, &service):
		return service
	case errors.As(err, &syntax), errors.As(err, &types):
		return wire.SerializationError(err)
	}
	return api.Internal(err.Error())
}
