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
	attempts    = 5 // for a conversation that makes the service fail, or that something else answers
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

// captures counts what is not sent yet. Not with a WaitGroup: it panics where captures come while Flush waits.
type captures struct {
	queue   chan capture
	mutex   sync.Mutex
	pending int
	idle    chan struct{} // closed as soon as nothing is pending
}

func (c *captures) begin(client *Client) {
	c.queue, c.idle = make(chan capture, waiting), make(chan struct{})
	close(c.idle)
	go func() {
		for one := range c.queue {
			client.send(one)
			c.end()
		}
	}()
}

func (c *captures) add() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.pending == 0 {
		c.idle = make(chan struct{})
	}
	c.pending++
}

func (c *captures) end() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.pending--; c.pending == 0 {
		close(c.idle)
	}
}

func (c *captures) whenIdle() <-chan struct{} {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.idle
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
	c.captures.add()
	select {
	case c.captures.queue <- capture{body, newKey()}:
	default:
		c.captures.end()
		log.Print("remembrancer: drops a conversation: too many wait")
	}
}

// Flush waits until everything is sent that was captured before, or the context ends: call it before the process does.
func (c *Client) Flush(ctx context.Context) error {
	select {
	case <-c.captures.whenIdle():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Client) send(one capture) {
	refusals := 0
	for pause := firstRetry; ; pause *= 2 {
		ctx, cancel := context.WithTimeout(context.Background(), captureWait)
		status, content, err := c.post(ctx, "/v1/conversations", http.Header{"Idempotency-Key": {one.key}}, one.body)
		cancel()
		if err == nil && status == http.StatusAccepted {
			return
		}
		if err == nil && !isAway(status) {
			refusals++
			if isRefusal(status) || refusals == attempts {
				if code := codeOf(content); code != "nothing_to_capture" {
					log.Printf("remembrancer: drops a conversation: %d %s", status, code)
				}
				return
			}
		}
		if pause > lastRetry {
			pause = lastRetry
		}
		time.Sleep(pause)
	}
}

// isAway says that the status tells nothing about the conversation itself: it is sent until there is another one.
func isAway(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// isRefusal says that the service does not take the conversation. Of a redirect, and of what is not an answer of the
// service, the next attempt may be answered by the service.
func isRefusal(status int) bool {
	return status >= 400 && status < 500 && !isAway(status)
}
