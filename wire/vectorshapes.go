package wire

import "github.com/dynalite-go/dynalite/api"

var vectorAttribute = newShape("VectorAttributeDefinition", []member[api.VectorAttributeDefinition]{
	text("AttributeName",
		func(in *api.VectorAttributeDefinition) *api.String { return &in.AttributeName },
		required(), minLength(1), maxBytes(api.MaxKeyNameBytes)),
})

var searchSchemaElement = newShape("SearchSchemaElement", []member[api.SearchSchemaElement]{
	text("AttributeName",
		func(in *api.SearchSchemaElement) *api.String { return &in.AttributeName },
		required(), maxLength(api.MaxAttributeNameBytes)),
	text("SearchSchemaElementType",
		func(in *api.SearchSchemaElement) *api.String { return &in.SearchSchemaElementType },
		required(), oneOf("HASH", "INLINE_FILTER")),
})

var vectorIndex = newShape("VectorIndex", []member[api.VectorIndex]{
	text("IndexName", func(in *api.VectorIndex) *api.String { return &in.IndexName }, requiredName()...),
	structure("VectorAttribute", vectorAttribute,
		func(in *api.VectorIndex) **api.VectorAttributeDefinition { return &in.VectorAttribute }, required()),
	structure("Projection", projection,
		func(in *api.VectorIndex) **api.Projection { return &in.Projection }, required()),
	long("Dimensions", func(in *api.VectorIndex) *api.Int { return &in.Dimensions }, required(), minValue(1)),
	text("DistanceFunction",
		func(in *api.VectorIndex) *api.String { return &in.DistanceFunction },
		required(), oneOf("COSINE", "DOT_PRODUCT", "EUCLIDEAN")),
	list("SearchSchema", searchSchemaElement,
		func(in *api.VectorIndex) *[]api.SearchSchemaElement { return &in.SearchSchema }, minLength(1)),
})

var createVectorIndex = newShape("CreateVectorIndexAction", vectorIndex.members)

var deleteVectorIndex = newShape("DeleteVectorIndexAction", deleteGlobalIndex.members)

var vectorIndexUpdate = newShape("VectorIndexUpdate", []member[api.VectorIndexUpdate]{
	structure("Create", createVectorIndex,
		func(in *api.VectorIndexUpdate) **api.VectorIndex { return &in.Create }),
	structure("Delete", deleteVectorIndex,
		func(in *api.VectorIndexUpdate) **api.DeleteIndexAction { return &in.Delete }),
})
