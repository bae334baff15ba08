package conformance

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/config"

	"github.com/dynalite-go/dynalite/clock"
)

// Service is DynamoDB itself, in a region, with credentials from the AWS SDK's default chain: environment, shared files
// and profiles, SSO, container or instance role. An empty region is taken from there too. Requests to it cost money.
func Service(ctx context.Context, region string) (Target, error) {
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return Target{}, fmt.Errorf("AWS configuration: %w", err)
	}
	if region == "" {
		region = cfg.Region
	}
	if region == "" {
		return Target{}, errors.New("no AWS region: set AWS_REGION, or name one")
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		return Target{}, fmt.Errorf("AWS credentials: %w", err)
	}
	t := Endpoint("https://dynamodb." + region + ".amazonaws.com")
	t.Name = "DynamoDB in " + region
	t.StreamsURL = "https://streams.dynamodb." + region + ".amazonaws.com"
	t.Region = region
	t.Prefix = "dynalite-go-conformance-"
	t.Tags = map[string]string{"created-by": "dynalite-go conformance"}
	t.Without = []string{"emulator"}
	t.Eventual = 20 * time.Second
	t.Poll = time.Second
	t.Settle = 30 * time.Minute
	t.Deadline = time.Hour
	t.Charges = true
	return t.Signed(cfg.Credentials), nil
}

// Signed returns the target with requests signed by Signature Version 4, with keys from a provider of the AWS SDK.
func (t Target) Signed(keys aws.CredentialsProvider) Target {
	signer := v4.NewSigner()
	now := clock.Real().Now
	region := t.Region
	t.Sign = func(ctx context.Context, r *http.Request, body []byte) error {
		credentials, err := keys.Retrieve(ctx)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(body)
		return signer.SignHTTP(ctx, credentials, r, hex.EncodeToString(sum[:]), "dynamodb", region, now())
	}
	return t
}

// SignedByDefault is Signed with credentials from the AWS SDK's default chain.
func (t Target) SignedByDefault(ctx context.Context) (Target, error) {
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return t, fmt.Errorf("AWS configuration: %w", err)
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		return t, fmt.Errorf("AWS credentials: %w", err)
	}
	return t.Signed(cfg.Credentials), nil
}

// SignedBy is Signed with fixed keys.
func (t Target) SignedBy(keyID, secret string) Target {
	return t.Signed(aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: keyID, SecretAccessKey: secret}, nil
	}))
}
