//go:build !unix

package operand

const nonBlocking = 0
