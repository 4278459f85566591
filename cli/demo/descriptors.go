package demo

import "nod/descriptor"

// Descriptors are what the demo's operator says of its tools: a refund cannot
// be taken back, its amount is in minor units, and whoever allows one types the
// payment's id. The agent states nothing of it.
func Descriptors() (*descriptor.Set, error) {
	return descriptor.Compile([]descriptor.Tool{{
		Name: refundTool, Class: "irreversible", Access: "write", Confirm: "/payment_id",
		Reading: []descriptor.Reading{
			{At: "/amount", As: descriptor.AsMoney, Currency: "/currency"},
			{At: "/customer", As: descriptor.AsName, Names: map[string]string{"C-20417": "Example Ltd"}},
		},
	}})
}
