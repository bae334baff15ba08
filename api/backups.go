package api

// DescribeContinuousBackupsInput is the request of DescribeContinuousBackups.
type DescribeContinuousBackupsInput struct {
	TableName String
}

// ContinuousBackupsDescription is the state of the backups that the service makes by itself. Values are ENABLED and
// DISABLED.
type ContinuousBackupsDescription struct {
	ContinuousBackupsStatus   string
	PointInTimeRecoveryStatus string
}

// DescribeContinuousBackupsOutput is the reply of DescribeContinuousBackups.
type DescribeContinuousBackupsOutput struct {
	ContinuousBackupsDescription ContinuousBackupsDescription
}
