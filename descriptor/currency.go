package descriptor

import "strings"

// The codes of ISO 4217 that are money in use, by the digits of their minor
// unit. Metals, baskets and testing codes have none and are left out.
const (
	digits0 = " BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF "
	digits2 = " AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY" +
		" COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR" +
		" IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD" +
		" NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP" +
		" SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG "
	digits3 = " BHD IQD JOD KWD LYD OMR TND "
	digits4 = " CLF UYW "
)

// minorDigits gives the digits of a currency's minor unit; -1 for a word that
// is no code.
func minorDigits(code string) int {
	if len(code) != 3 {
		return -1
	}
	for n, codes := range [...]string{digits0, "", digits2, digits3, digits4} {
		if strings.Contains(codes, " "+code+" ") {
			return n
		}
	}
	return -1
}
