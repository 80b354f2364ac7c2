// Against a running service: REMEMBRANCER_URL, REMEMBRANCER_API_KEY, REMEMBRANCER_ORG_ID, REMEMBRANCER_AGENT_ID.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "../dist/index.js";

const skip = process.env.REMEMBRANCER_URL ? false : "no service";

test("what is written is found, and put in front of a conversation", { skip }, async () => {
  const client = new Client({ deadlineMs: 5000 });
  await client.warm();
  const agent_id = process.env.REMEMBRANCER_AGENT_ID;
  const content = "The piano is tuned on Tuesdays by Mr Sutherland.";
  const messages = [{ role: "user", content: "When is the piano tuned?" }];

  const written = await client.api.POST("/v1/memories", { body: { agent_id, content } });
  // On a busy machine a source may be late, and what it alone knows is missing: it is asked again.
  let found;
  for (let at = 0; at < 10 && !found?.data.memories.some((memory) => memory.content === content); at++) {
    found = await client.api.POST("/v1/memories/query", { body: { agent_id, query: "piano tuned" } });
  }
  let answer;
  for (let at = 0; at < 10 && answer?.reason !== ""; at++) answer = await client.assemble(messages, { model: "gpt-4o" });

  assert.equal(written.response.status, 202);
  assert.ok(found.data.memories.some((memory) => memory.content === content));
  assert.equal(answer.reason, "");
  assert.ok(answer.injected.includes("Mr Sutherland"));
  assert.equal(answer.messages.length, 1);
  assert.equal(answer.messages[0].content, `${answer.injected}\n${messages[0].content}`);
});

test("what is said is captured, and known in the next conversation", { skip }, async () => {
  const client = new Client({ deadlineMs: 5000 });
  const said = { role: "user", content: "I keep my spare key under the blue pot in the yard." };
  const messages = [{ role: "user", content: "Where do I keep my spare key?" }];

  client.capture([said, { role: "assistant", content: "I will remember that." }], { userId: "isla", sessionId: "s" });
  const waiting = await client.flush();
  const end = Date.now() + 60_000;
  let answer;
  do {
    assert.ok(Date.now() < end, "not remembered in time");
    answer = await client.assemble(messages, { model: "gpt-4o", userId: "isla" });
  } while (!answer.injected.includes("blue pot"));
  const others = await client.assemble(messages, { model: "gpt-4o", userId: "ada" });

  assert.equal(waiting, 0);
  assert.ok(!others.injected.includes("blue pot"));
});

test("a wrong key is a reason, not a rejection", { skip }, async () => {
  const messages = [{ role: "user", content: "When is the piano tuned?" }];

  const answer = await new Client({ apiKey: "rk_wrong", deadlineMs: 5000 }).assemble(messages, { model: "gpt-4o" });

  assert.equal(answer.messages, messages);
  assert.equal(answer.reason, "invalid_credential");
});
