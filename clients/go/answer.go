package remembrancer

import (
	"encoding/json"
	"reflect"
	"strings"
	"unicode"
)

// keeps tells whether these are the messages that were sent: with one added before them, and with more in their content.
func keeps(assembled, sent []Message) bool {
	added := len(assembled) - len(sent)
	if added != 0 && added != 1 {
		return false
	}
	for i, message := range sent {
		if !extends(assembled[i+added], message) {
			return false
		}
	}
	return true
}

func extends(longer, message Message) bool {
	var now, sent map[string]any
	if json.Unmarshal(longer, &now) != nil || json.Unmarshal(message, &sent) != nil {
		return false
	}
	for _, field := range []string{"content", "parts"} {
		switch content := sent[field].(type) {
		case string:
			if text, ok := now[field].(string); ok && (strings.HasPrefix(text, content) || strings.HasSuffix(text, content)) {
				now[field] = content
			}
		case []any:
			if parts, ok := now[field].([]any); ok && holds(parts, content) {
				now[field] = content
			}
		}
	}
	return reflect.DeepEqual(now, sent)
}

// holds tells whether parts are the sent ones in their order, with at most two more: the directive and memories.
func holds(parts, sent []any) bool {
	if more := len(parts) - len(sent); more < 0 || more > 2 {
		return false
	}
	at := 0
	for _, part := range parts {
		if at < len(sent) && reflect.DeepEqual(part, sent[at]) {
			at++
		}
	}
	return at == len(sent)
}

// isBlank tells whether a name shows nothing: white space and invisible characters only.
func isBlank(name string) bool {
	return strings.TrimFunc(name, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.Is(unicode.C, r) || unicode.Is(unicode.Variation_Selector, r) || strings.ContainsRune("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0", r)
	}) == ""
}
