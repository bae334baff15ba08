package wire

import "github.com/dynalite-go/dynalite/api"

var describeContinuousBackups = newShape("DescribeContinuousBackupsInput", []member[api.DescribeContinuousBackupsInput]{
	text("TableName",
		func(in *api.DescribeContinuousBackupsInput) *api.String { return &in.TableName }, controlTable()...),
})

// DecodeDescribeContinuousBackups reads the body of a DescribeContinuousBackups request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeDescribeContinuousBackups(text string, in *api.DescribeContinuousBackupsInput) error {
	return decodeBody(text, describeContinuousBackups, in)
}

// CheckDescribeContinuousBackups returns the member constraints that a DescribeContinuousBackups request breaks.
func CheckDescribeContinuousBackups(in *api.DescribeContinuousBackupsInput) []api.Violation {
	return checkInput(describeContinuousBackups, in)
}

// AppendDescribeContinuousBackups prints the reply of DescribeContinuousBackups.
func AppendDescribeContinuousBackups(dst []byte, out *api.DescribeContinuousBackupsOutput) []byte {
	o := begin(dst)
	o.key("ContinuousBackupsDescription")
	d := begin(o.dst)
	d.optText("ContinuousBackupsStatus", out.ContinuousBackupsDescription.ContinuousBackupsStatus)
	d.key("PointInTimeRecoveryDescription")
	p := begin(d.dst)
	p.optText("PointInTimeRecoveryStatus", out.ContinuousBackupsDescription.PointInTimeRecoveryStatus)
	d.dst = p.end()
	o.dst = d.end()
	return o.end()
}
