// Package steelyard calls a function of the answer, and writes each result as one line of JSON into the channel.
// Runs in the answer's own process; what is expected is not here, so nothing here has to be trusted.
// It is a package of its own, since names of the answer would clash with those that are imported here.
package steelyard

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"reflect"
	"strconv"
	"unicode/utf8"
)

type steelyardData = map[string]interface{}

var steelyardTags = map[string]bool{"tuple": true, "set": true, "bytes": true, "int": true, "float": true, "complex": true, "dict": true, "null": true}

func steelyardTag(data interface{}) (string, interface{}) {
	if table, ok := data.(steelyardData); ok && len(table) == 1 {
		for name, content := range table {
			if steelyardTags[name] {
				return name, content
			}
		}
	}
	return "", data
}

func steelyardCheck(ok bool, want reflect.Type) {
	if !ok {
		panic(fmt.Errorf("an argument does not fit the type %v", want))
	}
}

// Returns plain data as a value of a type; panics if it does not fit.
func steelyardValue(data interface{}, want reflect.Type) reflect.Value {
	made := reflect.New(want).Elem()
	tag, content := steelyardTag(data)
	if tag == "null" || content == nil {
		return made
	}
	if want == reflect.TypeOf((*big.Int)(nil)) {
		number, ok := new(big.Int).SetString(fmt.Sprint(content), 0)
		steelyardCheck(ok, want)
		return reflect.ValueOf(number)
	}
	text, isText := content.(string)
	switch want.Kind() {
	case reflect.Bool:
		flag, ok := content.(bool)
		steelyardCheck(ok, want)
		made.SetBool(flag)
	case reflect.String:
		steelyardCheck(isText && tag == "", want)
		made.SetString(text)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if letters := []rune(text); isText && tag == "" && len(letters) == 1 {
			content = json.Number(strconv.Itoa(int(letters[0])))
		}
		number, ok := new(big.Int).SetString(fmt.Sprint(content), 0)
		steelyardCheck(ok, want)
		if made.CanInt() {
			steelyardCheck(number.IsInt64() && !made.OverflowInt(number.Int64()), want)
			made.SetInt(number.Int64())
		} else {
			steelyardCheck(number.IsUint64() && !made.OverflowUint(number.Uint64()), want)
			made.SetUint(number.Uint64())
		}
	case reflect.Float32, reflect.Float64:
		number, err := strconv.ParseFloat(fmt.Sprint(content), want.Bits()) // rounded once
		steelyardCheck(err == nil, want)
		made.SetFloat(number)
	case reflect.Complex64, reflect.Complex128:
		parts := steelyardValue(content, reflect.TypeOf([2]float64{})).Interface().([2]float64)
		made.SetComplex(complex(parts[0], parts[1]))
	case reflect.Ptr:
		made.Set(reflect.New(want.Elem()))
		made.Elem().Set(steelyardValue(data, want.Elem()))
	case reflect.Slice, reflect.Array:
		if tag == "bytes" {
			raw, _ := base64.StdEncoding.DecodeString(text)
			steelyardCheck(want.Elem().Kind() == reflect.Uint8, want)
			return reflect.ValueOf(raw).Convert(want)
		}
		items, ok := content.([]interface{})
		steelyardCheck(ok && tag != "dict", want)
		if want.Kind() == reflect.Slice {
			made.Set(reflect.MakeSlice(want, len(items), len(items)))
		}
		steelyardCheck(made.Len() == len(items), want)
		for place, item := range items {
			made.Index(place).Set(steelyardValue(item, want.Elem()))
		}
	case reflect.Map:
		made.Set(reflect.MakeMap(want))
		for _, pair := range steelyardPairs(tag, content, want) {
			item := steelyardValue(pair[1], want.Elem())
			if tag == "set" && want.Elem().Kind() == reflect.Bool {
				item.SetBool(true)
			}
			made.SetMapIndex(steelyardValue(pair[0], want.Key()), item)
		}
	case reflect.Interface:
		steelyardCheck(want.NumMethod() == 0, want)
		made.Set(reflect.ValueOf(steelyardNative(tag, content)))
	default:
		steelyardCheck(false, want)
	}
	return made
}

func steelyardPairs(tag string, content interface{}, want reflect.Type) (pairs [][2]interface{}) {
	if table, ok := content.(steelyardData); ok {
		for name, item := range table {
			pairs = append(pairs, [2]interface{}{name, item})
		}
		return pairs
	}
	items, ok := content.([]interface{})
	steelyardCheck(ok && (tag == "set" || tag == "dict"), want)
	for _, item := range items {
		if tag == "set" {
			pairs = append(pairs, [2]interface{}{item, nil})
		} else {
			pair := item.([]interface{})
			pairs = append(pairs, [2]interface{}{pair[0], pair[1]})
		}
	}
	return pairs
}

// Returns plain data as the types that `interface{}` usually holds.
func steelyardNative(tag string, content interface{}) interface{} {
	switch typed := content.(type) {
	case json.Number:
		if whole, err := strconv.Atoi(typed.String()); err == nil {
			return whole
		}
		number, _ := typed.Float64()
		return number
	case string:
		switch tag {
		case "int":
			number, _ := new(big.Int).SetString(typed, 0)
			if number.IsInt64() {
				return int(number.Int64())
			}
			return number
		case "float":
			number, _ := strconv.ParseFloat(typed, 64)
			return number
		case "bytes":
			raw, _ := base64.StdEncoding.DecodeString(typed)
			return raw
		}
	case []interface{}:
		return steelyardValue(content, reflect.TypeOf([]interface{}{})).Interface()
	case steelyardData:
		return steelyardValue(content, reflect.TypeOf(steelyardData{})).Interface()
	}
	return content
}

func steelyardPlain(value reflect.Value) interface{} {
	if number, ok := steelyardAny(value).(*big.Int); ok && number != nil {
		return steelyardData{"int": number.String()}
	}
	switch value.Kind() {
	case reflect.Invalid:
		return nil
	case reflect.Bool:
		return value.Bool()
	case reflect.String:
		if !utf8.ValidString(value.String()) { // in JSON, other characters would take the place of its bytes
			panic(errors.New("text that is no UTF-8"))
		}
		return value.String()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return value.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return value.Uint()
	case reflect.Float32, reflect.Float64:
		number := value.Float()
		if math.IsNaN(number) || math.IsInf(number, 0) {
			return steelyardData{"float": map[bool]string{true: "nan"}[math.IsNaN(number)] + map[bool]string{true: "inf"}[math.IsInf(number, 1)] + map[bool]string{true: "-inf"}[math.IsInf(number, -1)]}
		}
		if value.Kind() == reflect.Float32 { // with its own digits: a float32 of 0.1 is 0.1, as in other languages
			return json.Number(strconv.FormatFloat(number, 'g', -1, 32))
		}
		if number == math.Trunc(number) && math.Abs(number) >= 1<<53 { // JSON would round its last digits
			return json.Number(strconv.FormatFloat(number, 'e', -1, 64))
		}
		return number
	case reflect.Complex64, reflect.Complex128:
		return steelyardData{"complex": []float64{real(value.Complex()), imag(value.Complex())}}
	case reflect.Ptr, reflect.Interface:
		return steelyardPlain(value.Elem())
	case reflect.Slice, reflect.Array:
		if value.Kind() == reflect.Slice && value.IsNil() {
			return steelyardData{"null": []interface{}{}}
		}
		items := make([]interface{}, value.Len())
		for place := range items {
			items[place] = steelyardPlain(value.Index(place))
		}
		return items
	case reflect.Map:
		if value.IsNil() {
			return steelyardData{"null": steelyardTable(value)}
		}
		return steelyardTable(value)
	case reflect.Struct:
		table := steelyardData{}
		for place := 0; place < value.NumField(); place++ {
			table[value.Type().Field(place).Name] = steelyardPlain(value.Field(place))
		}
		return table
	}
	panic(errors.New(value.Type().String()))
}

func steelyardAny(value reflect.Value) interface{} {
	if value.IsValid() && value.CanInterface() {
		return value.Interface()
	}
	return nil
}

func steelyardTable(value reflect.Value) interface{} {
	isSet := value.Type().Elem().Kind() == reflect.Struct && value.Type().Elem().NumField() == 0
	table, items := steelyardData{}, []interface{}{}
	for _, key := range value.MapKeys() {
		if isSet {
			items = append(items, steelyardPlain(key))
			continue
		}
		items = append(items, []interface{}{steelyardPlain(key), steelyardPlain(value.MapIndex(key))})
		if key.Kind() == reflect.String {
			table[key.String()] = steelyardPlain(value.MapIndex(key))
		}
	}
	if isSet {
		return steelyardData{"set": items}
	}
	if tag, _ := steelyardTag(table); value.Type().Key().Kind() == reflect.String && tag == "" {
		return table
	}
	return steelyardData{"dict": items}
}

func steelyardCall(function reflect.Value, args []interface{}) (line steelyardData) {
	stage := "unknown"
	defer func() {
		if why := recover(); why != nil {
			line = steelyardData{stage: fmt.Sprint(why)}
			if stage == "raises" {
				line = steelyardData{"raises": []string{fmt.Sprintf("%T", why), "panic"}, "message": fmt.Sprint(why)}
			}
		}
	}()
	kind := function.Type()
	values := []reflect.Value{}
	for place, arg := range args {
		if kind.IsVariadic() && place >= kind.NumIn()-1 {
			values = append(values, steelyardValue(arg, kind.In(kind.NumIn()-1).Elem()))
		} else {
			steelyardCheck(place < kind.NumIn(), kind)
			values = append(values, steelyardValue(arg, kind.In(place)))
		}
	}
	if missing := kind.NumIn() - len(values); missing > 1 || missing == 1 && !kind.IsVariadic() {
		panic(errors.New("there are fewer arguments than parameters"))
	}
	stage = "raises"
	results := function.Call(values)
	stage = "opaque"
	if last := len(results) - 1; last >= 0 && results[last].Type() == reflect.TypeOf((*error)(nil)).Elem() {
		if err, _ := results[last].Interface().(error); err != nil {
			return steelyardData{"raises": []string{fmt.Sprintf("%T", err), "error"}, "message": err.Error()}
		}
		results = results[:last]
	}
	plain := []interface{}{}
	for _, result := range results {
		plain = append(plain, steelyardPlain(result))
	}
	if len(plain) == 1 {
		return steelyardData{"returns": plain[0]}
	}
	if len(plain) == 0 {
		return steelyardData{"returns": nil}
	}
	return steelyardData{"returns": steelyardData{"tuple": plain}}
}

// Run makes all calls of a function, and leaves.
func Run(answer interface{}) {
	number, _ := strconv.Atoi(os.Getenv("STEELYARD_CHANNEL"))
	channel := os.NewFile(uintptr(number), "channel")
	var job struct{ Calls [][]interface{} }
	reader := json.NewDecoder(os.Stdin)
	reader.UseNumber()
	if err := reader.Decode(&job); err != nil {
		panic(err)
	}
	function := reflect.ValueOf(answer)
	for place, call := range job.Calls {
		line := steelyardCall(function, call[0].([]interface{}))
		line["call"] = place
		text, _ := json.Marshal(line)
		channel.Write(append(text, '\n'))
	}
	os.Exit(0)
}
