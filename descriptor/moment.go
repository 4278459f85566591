package descriptor

import (
	"strconv"
	"time"

	"nod/digest"
)

const unreadTime = "not read as a time: "

// The first and the last second that a date of four digits names.
const (
	firstSecond = -62_135_596_800 // 0001-01-01T00:00:00Z
	lastSecond  = 253_402_300_799 // 9999-12-31T23:59:59Z
)

// moment reads seconds or milliseconds since 1970 as a time in UTC.
func moment(v digest.JSON, unit string) string {
	if !whole(v) {
		return unreadTime + "not a whole number"
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	least, most := int64(firstSecond), int64(lastSecond)
	if unit == UnitMilliseconds {
		least, most = least*1000, most*1000+999
	}
	if err != nil || n < least || n > most {
		return unreadTime + "no year of four digits"
	}
	if unit == UnitMilliseconds {
		return time.UnixMilli(n).UTC().Format("2006-01-02T15:04:05.000Z")
	}
	return time.Unix(n, 0).UTC().Format("2006-01-02T15:04:05Z")
}
