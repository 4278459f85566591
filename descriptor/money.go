package descriptor

import (
	"strings"

	"nod/digest"
)

const unreadMoney = "not read as money: "

// money reads minor units by digits alone, so that it is exact for every whole
// number that a document can hold.
func (r *Reading) money(p *place, arguments digest.JSON) string {
	code := r.Currency
	if strings.HasPrefix(code, "/") {
		at := beside(code, p.pointer)
		v, there := digest.Lookup(arguments, at)
		if !there {
			return unreadMoney + "no currency is stated"
		}
		stated, _ := v.Text()
		if code = upper(stated); minorDigits(code) < 0 {
			return unreadMoney + "the stated currency is no code of ISO 4217"
		}
	}
	if !whole(p.value) {
		return unreadMoney + "not a whole number of minor units"
	}
	return shift(string(p.value), minorDigits(code)) + " " + code
}

// upper gives a code that is written all in lowercase in capitals; nothing
// else is changed.
func upper(code string) string {
	if len(code) == 3 && strings.Trim(code, "abcdefghijklmnopqrstuvwxyz") == "" {
		return strings.ToUpper(code)
	}
	return code
}

// shift sets a point before the last n digits of a whole number.
func shift(number string, n int) string {
	if n == 0 {
		return number
	}
	sign := ""
	if number[0] == '-' {
		sign, number = "-", number[1:]
	}
	if short := n + 1 - len(number); short > 0 {
		number = strings.Repeat("0", short) + number
	}
	point := len(number) - n
	return sign + number[:point] + "." + number[point:]
}
