// Package remembrancer puts what an agent remembers in front of a chat, and captures what was said. Nothing that the
// service does makes a chat fail, or wait beyond its bound. It needs nothing but the standard library.
package remembrancer

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Message is a chat message as the application has it, with whatever fields it has.
type Message = json.RawMessage

const (
	largestBody   = 1 << 20 // bytes that the service accepts
	largestAnswer = 8 << 20
	failures      = 5 // in a row; then no requests for a while
	pause         = 5 * time.Second
)

// Client is a Remembrancer service. Make one and keep it: a new connection may cost more than the assembly.
type Client struct {
	URL, APIKey, OrgID, AgentID string
	// Wait bounds each Assemble.
	Wait time.Duration

	http                http.Client
	failed, closedUntil atomic.Int64
	captures            captures
}

// FromEnvironment reads REMEMBRANCER_URL, REMEMBRANCER_API_KEY, REMEMBRANCER_ORG_ID and REMEMBRANCER_AGENT_ID.
func FromEnvironment() (*Client, error) {
	return New(os.Getenv("REMEMBRANCER_URL"), os.Getenv("REMEMBRANCER_API_KEY"), os.Getenv("REMEMBRANCER_ORG_ID"), os.Getenv("REMEMBRANCER_AGENT_ID"))
}

// New makes a client that waits for 45 ms. An empty orgID is the key's organization.
func New(url, apiKey, orgID, agentID string) (*Client, error) {
	if url == "" {
		return nil, errors.New("url: give the address of the service, or set REMEMBRANCER_URL")
	}
	if strings.TrimSpace(agentID) == "" {
		return nil, errors.New("agentID: give an agent's id or name, or set REMEMBRANCER_AGENT_ID")
	}
	// A redirect is not followed: it would carry the key elsewhere.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	client := &Client{
		URL: strings.TrimRight(url, "/"), APIKey: apiKey, OrgID: orgID, AgentID: agentID,
		Wait: 45 * time.Millisecond, http: http.Client{CheckRedirect: stay},
	}
	client.captures.begin(client)
	return client, nil
}

// Question is about a chat. UserID is the person that the agent talks to; nil for shared memories only. A blank name is
// refused: it must not mean "nobody".
type Question struct {
	Messages  []Message
	Model     string
	UserID    *string
	SessionID string
	TurnID    string
	RequestID string
	Tools     []json.RawMessage
	Options   map[string]any
	TimeZone  string
}

// Assembled has messages ready to send. Without a good answer in time they are those that were given, and Reason says
// why; it is empty if nothing is missing.
type Assembled struct {
	Messages  []Message
	Reason    string
	MemoryIDs []string
}

// Assemble returns the messages to send to the model. It never fails.
func (c *Client) Assemble(ctx context.Context, question Question) Assembled {
	if question.UserID != nil && isBlank(*question.UserID) {
		return Assembled{Messages: question.Messages, Reason: "blank_end_user"}
	}
	if !c.mayAsk() {
		return Assembled{Messages: question.Messages, Reason: "circuit_open"}
	}
	answer, refused, err := c.assemble(ctx, question)
	if err == nil || refused {
		c.failed.Store(0)
		c.closedUntil.Store(0)
	} else if !errors.Is(err, errTooLarge) && ctx.Err() == nil && c.failed.Add(1) >= failures {
		c.closedUntil.Store(time.Now().Add(pause).UnixNano())
	}
	if err != nil {
		return Assembled{Messages: question.Messages, Reason: err.Error()}
	}
	return answer
}

// mayAsk is false while the service is left alone; after a pause one chat is the next attempt.
func (c *Client) mayAsk() bool {
	now, closed := time.Now(), c.closedUntil.Load()
	if closed == 0 {
		return true
	}
	return now.UnixNano() >= closed && c.closedUntil.CompareAndSwap(closed, now.Add(pause).UnixNano())
}

var errTooLarge = errors.New("too_large")

func (c *Client) assemble(ctx context.Context, question Question) (answer Assembled, refused bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.Wait)
	defer cancel()
	if question.RequestID == "" {
		question.RequestID = newKey() // the service demands one
	}
	body, err := json.Marshal(fields{
		"org_id": c.OrgID, "agent_id": c.AgentID, "user_id": question.UserID, "model": question.Model, "session_id": question.SessionID,
		"turn_id": question.TurnID, "request_id": question.RequestID, "time_zone": question.TimeZone,
		"tools": question.Tools, "options": question.Options, "messages": question.Messages,
	}.given())
	if err != nil {
		return answer, true, err
	}
	if len(body) > largestBody {
		return answer, false, errTooLarge
	}
	header := http.Header{"X-Deadline-Ms": {strconv.FormatInt(max(c.Wait.Milliseconds(), 1), 10)}}
	status, content, err := c.post(ctx, "/v1/context/assemble", header, body)
	if err != nil {
		return answer, false, reason(ctx, err)
	}
	if status != http.StatusOK {
		code := codeOf(content)
		refused = status >= 400 && status < 500 && status != http.StatusTooManyRequests && code != ""
		if code == "" {
			code = fmt.Sprintf("http_%d", status)
		}
		return answer, refused, errors.New(code)
	}
	var told struct {
		Messages []Message
		Metadata *struct {
			FallbackReason string   `json:"fallback_reason"`
			MemoryIDs      []string `json:"memory_ids"`
		}
	}
	if json.Unmarshal(content, &told) != nil || told.Metadata == nil || !keeps(told.Messages, question.Messages) {
		return answer, false, errors.New("invalid_answer")
	}
	return Assembled{told.Messages, told.Metadata.FallbackReason, told.Metadata.MemoryIDs}, false, nil
}

func (c *Client) post(ctx context.Context, path string, header http.Header, body []byte) (int, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header = header
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-API-Key", c.APIKey)
	response, err := c.http.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, largestAnswer))
	return response.StatusCode, content, err
}

// fields of a body; empty ones are not sent.
type fields map[string]any

func (f fields) given() fields {
	for name, value := range f {
		switch held := value.(type) {
		case string:
			if held == "" {
				delete(f, name)
			}
		case *string:
			if held == nil {
				delete(f, name)
			}
		case []json.RawMessage:
			if held == nil && name != "messages" {
				delete(f, name)
			}
		case map[string]any:
			if held == nil {
				delete(f, name)
			}
		}
	}
	return f
}

func codeOf(content []byte) string {
	var told struct {
		Error struct {
			Code string `json:"code"`
		}
	}
	if json.Unmarshal(content, &told) != nil {
		return ""
	}
	return told.Error.Code
}

func reason(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) {
		return errors.New("timeout")
	}
	return errors.New("unreachable")
}

func max(a, b int64) int64 {
	if a > b {
		return a
	}
	return b
}

func newKey() string {
	key := make([]byte, 16)
	if _, err := rand.Read(key); err != nil {
		panic(err) // the system has no randomness
	}
	return hex.EncodeToString(key)
}
