package remembrancer

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

const block = "<memories-123456789>\n- Tea.\n</memories-123456789>\n"

type service struct {
	*httptest.Server
	mutex  sync.Mutex
	bodies map[string][]map[string]any
}

// serve is a service that does what it is told; whole answers like the real one.
func serve(t *testing.T, behaviour http.HandlerFunc) *service {
	s := &service{bodies: map[string][]map[string]any{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, _ := io.ReadAll(r.Body)
		var body map[string]any
		_ = json.Unmarshal(content, &body)
		s.mutex.Lock()
		s.bodies[r.URL.Path] = append(s.bodies[r.URL.Path], body)
		s.mutex.Unlock()
		r.Body = io.NopCloser(strings.NewReader(string(content)))
		behaviour(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *service) asked(path string) []map[string]any {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.bodies[path]
}

func whole(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/v1/conversations" {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	var body struct{ Messages []Message }
	_ = json.NewDecoder(r.Body).Decode(&body)
	added, _ := json.Marshal(map[string]string{"role": "system", "content": block})
	answer := map[string]any{
		"messages": append([]Message{added}, body.Messages...),
		"metadata": map[string]any{"fallback_reason": "", "memory_ids": []string{"m-1"}},
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func says(status int, content string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, content)
	}
}

func client(t *testing.T, url string) *Client {
	made, err := New(url+"/", "rk_test", "", "a")
	if err != nil {
		t.Fatal(err)
	}
	made.Wait = 5 * time.Second
	return made
}

func chat(texts ...string) []Message {
	messages := []Message{}
	for _, text := range texts {
		message, _ := json.Marshal(map[string]string{"role": "user", "content": text})
		messages = append(messages, message)
	}
	return messages
}

func TestAnAnswerIsUsedAndAbsentFieldsAreNotSent(t *testing.T) {
	s := serve(t, whole)
	name := "isla"

	answer := client(t, s.URL).Assemble(context.Background(), Question{Messages: chat("Hi"), Model: "gpt-4o", UserID: &name, SessionID: "s-1"})

	if len(answer.Messages) != 2 || answer.Reason != "" || !reflect.DeepEqual(answer.MemoryIDs, []string{"m-1"}) {
		t.Fatalf("%+v", answer)
	}
	asked := s.asked("/v1/context/assemble")[0]
	delete(asked, "messages")
	if id, _ := asked["request_id"].(string); len(id) != 32 {
		t.Fatalf("the service demands a request_id: %v", asked)
	}
	delete(asked, "request_id")
	if want := map[string]any{"agent_id": "a", "user_id": "isla", "model": "gpt-4o", "session_id": "s-1"}; !reflect.DeepEqual(asked, want) {
		t.Fatalf("%v", asked)
	}
}

func TestEveryChatGoesOnWhateverTheServiceDoes(t *testing.T) {
	hangs := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	breaks := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	metadata := `"metadata": {"fallback_reason": "", "memory_ids": []}}`
	for reason, behaviour := range map[string]http.HandlerFunc{
		"timeout": hangs, "unreachable": breaks, "http_502": says(502, "Bad Gateway"), "http_302": says(302, ""),
		"agent_not_found": says(404, `{"error": {"code": "agent_not_found"}}`),
		"invalid_answer":  says(200, "<html>"), "invalid_answer ": says(200, `{"messages": [], `+metadata),
		"invalid_answer  ":   says(200, `{"messages": [{"role": "user", "content": "Ho"}], `+metadata),
		"invalid_answer   ":  says(200, `{"messages": [{"role": "assistant", "content": "Hi"}], `+metadata),
		"invalid_answer    ": says(200, `{"messages": [{"role": "user", "content": "Hi"}]}`),
	} {
		c := client(t, serve(t, behaviour).URL)
		if reason == "timeout" {
			c.Wait = 45 * time.Millisecond
		}
		given := chat("Hi")

		answer := c.Assemble(context.Background(), Question{Messages: given, Model: "gpt-4o"})

		if answer.Reason != strings.TrimSpace(reason) || !reflect.DeepEqual(answer.Messages, given) {
			t.Errorf("%s: %+v", reason, answer)
		}
	}
}

func TestAServiceThatFailsIsLeftAloneForAWhile(t *testing.T) {
	s := serve(t, says(502, ""))
	c := client(t, s.URL)

	reasons := map[string]int{}
	for i := 0; i < 8; i++ {
		reasons[c.Assemble(context.Background(), Question{Messages: chat("Hi")}).Reason]++
	}
	c.closedUntil.Store(1)
	for i := 0; i < 2; i++ { // the first one is the next attempt
		reasons[c.Assemble(context.Background(), Question{Messages: chat("Hi")}).Reason]++
	}

	if want := map[string]int{"http_502": 6, "circuit_open": 4}; !reflect.DeepEqual(reasons, want) || len(s.asked("/v1/context/assemble")) != 6 {
		t.Fatalf("%v", reasons)
	}
}

func TestABlankNameGetsNoMemoryAndIsNotCaptured(t *testing.T) {
	s := serve(t, whole)
	c := client(t, s.URL)
	for _, name := range []string{"", " ", "\u00a0", "\u3000", "\u200b", "\ufeff", "\u2800", "\ufe0f", " \u200d\u2003", "\xff"} {
		name := name
		answer := c.Assemble(context.Background(), Question{Messages: chat("Hi"), UserID: &name})
		c.Capture(Turn{Messages: chat("Hi"), UserID: &name})
		if answer.Reason != "blank_end_user" || len(answer.Messages) != 1 {
			t.Errorf("%q: %+v", name, answer)
		}
	}
	if err := c.Flush(context.Background()); err != nil || len(s.bodies) != 0 {
		t.Fatal(err, s.bodies)
	}
}

func TestATurnIsCapturedInTheBackgroundUntilTheServiceAnswers(t *testing.T) {
	attempts, keys := 0, map[string]bool{}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		attempts++
		keys[r.Header.Get("Idempotency-Key")] = true
		if attempts == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		whole(w, r)
	})
	c := client(t, s.URL)
	name := "isla"

	c.Capture(Turn{Messages: chat("I drink tea."), UserID: &name, SessionID: "s-1"})

	if err := c.Flush(context.Background()); err != nil || attempts != 2 || len(keys) != 1 {
		t.Fatal(err, attempts, keys)
	}
	if asked := s.asked("/v1/conversations")[1]; asked["user_id"] != "isla" || asked["session_id"] != "s-1" {
		t.Fatalf("%v", asked)
	}
	ending, cancel := context.WithCancel(context.Background())
	cancel()
	down := client(t, "http://127.0.0.1:1")
	down.Capture(Turn{Messages: chat("Hi")})
	if down.Flush(ending) == nil {
		t.Fatal("it waits for a service that is down")
	}
}

func TestConversationsMayComeWhileOthersAreWaitedFor(t *testing.T) {
	var counted captures
	counted.begin(nil)
	var flushing sync.WaitGroup
	for i := 0; i < 4; i++ {
		flushing.Add(1)
		go func() {
			defer flushing.Done()
			for j := 0; j < 20000; j++ {
				<-counted.whenIdle()
			}
		}()
	}
	for i := 0; i < 20000; i++ {
		counted.add()
		runtime.Gosched() // others begin to wait
		counted.end()
	}
	flushing.Wait()
}

func TestAConversationThatMakesTheServiceFailDoesNotHoldOthersUp(t *testing.T) {
	away, refused := map[int]bool{429: true, 502: true, 503: true, 504: true}, map[int]bool{400: true, 404: true}
	for _, status := range []int{200, 302, 400, 404, 429, 500, 502, 503, 504} {
		if isAway(status) != away[status] || isRefusal(status) != refused[status] {
			t.Error(status)
		}
	}
}

func TestTextsMayBeAddedAndNothingElse(t *testing.T) {
	parts := func(texts ...string) string {
		return `{"role": "user", "content": ["` + strings.Join(texts, `", "`) + `"]}`
	}
	for longer, want := range map[string]bool{
		parts("block", "a", "b"): true, parts("a", "block", "more", "b"): true, parts("a", "b"): true,
		parts("a"): false, parts("b", "a"): false, parts("x", "y", "z", "a", "b"): false,
		`{"role": "user", "content": "ab"}`: false, `{"role": "user"}`: false, `7`: false,
	} {
		if extends(Message(longer), Message(parts("a", "b"))) != want {
			t.Error(longer)
		}
	}
}

func TestSettingsAreToldByName(t *testing.T) {
	for _, given := range [][]string{{"", "a"}, {"http://127.0.0.1:1", " "}} {
		if _, err := New(given[0], "rk", "", given[1]); err == nil || !strings.Contains(err.Error(), "give") {
			t.Error(given, err)
		}
	}
}
