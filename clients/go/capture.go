package remembrancer

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"sync"
	"time"
)

const (
	waiting     = 1000 // conversations, while the service does not answer
	captureWait = 10 * time.Second
	firstRetry  = time.Second
	lastRetry   = 30 * time.Second
)

// Turn is what was said: the user's messages and the final answer to them. Without a UserID its memories are shared by
// all end users. Turns of one SessionID belong to one conversation.
type Turn struct {
	Messages  []Message
	UserID    *string
	SessionID string
}

type capture struct {
	body []byte
	key  string
}

type captures struct {
	queue   chan capture
	pending sync.WaitGroup
}

func (c *captures) begin(client *Client) {
	c.queue = make(chan capture, waiting)
	go func() {
		for one := range c.queue {
			client.send(one)
			c.pending.Done()
		}
	}()
}

// Capture sends a turn in the background, again and again while the service does not answer: it returns at once. What is
// lost is logged. Leave pictures and files out; the service reads texts only.
func (c *Client) Capture(turn Turn) {
	if turn.UserID != nil && isBlank(*turn.UserID) {
		log.Print("remembrancer: captures nothing: UserID must not be blank; leave it out where there is no end user")
		return
	}
	body, err := json.Marshal(fields{
		"agent_id": c.AgentID, "user_id": turn.UserID, "session_id": turn.SessionID, "messages": turn.Messages,
		"observed_at": time.Now().UTC().Format(time.RFC3339),
	}.given())
	if err != nil {
		log.Printf("remembrancer: captures nothing: %v", err)
		return
	}
	c.captures.pending.Add(1)
	select {
	case c.captures.queue <- capture{body, newKey()}:
	default:
		c.captures.pending.Done()
		log.Print("remembrancer: drops a conversation: too many wait")
	}
}

// Flush waits until everything is sent that was captured before, or the context ends: call it before the process does.
func (c *Client) Flush(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		c.captures.pending.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Client) send(one capture) {
	for pause := firstRetry; ; pause *= 2 {
		ctx, cancel := context.WithTimeout(context.Background(), captureWait)
		status, content, err := c.post(ctx, "/v1/conversations", http.Header{"Idempotency-Key": {one.key}}, one.body)
		cancel()
		if err == nil && status < 300 {
			return
		}
		if err == nil && status >= 400 && status < 500 && status != http.StatusTooManyRequests {
			if code := codeOf(content); code != "nothing_to_capture" {
				log.Printf("remembrancer: drops a conversation: %d %s", status, code)
			}
			return
		}
		if pause > lastRetry {
			pause = lastRetry
		}
		time.Sleep(pause)
	}
}
