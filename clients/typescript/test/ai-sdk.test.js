// Models of the AI SDK behind our middleware, in front of a service that answers, and of some that do not.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import { generateText, jsonSchema, simulateReadableStream, stepCountIs, streamText, tool, wrapLanguageModel } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { remembrancer } from "../dist/ai-sdk.js";
import { Client } from "../dist/index.js";

const DIRECTIVE = "<directive-123456789>\nServe tea.\n</directive-123456789>\n";
const BLOCK = "<memories-123456789>\n- Tea.\n</memories-123456789>\n";
const QUESTION = "Which room?";
const ANSWER = "The blue one.";
const USAGE = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

let behaviour;
let received;
let url;
const server = createServer((request, response) => {
  let text = "";
  request.on("data", (part) => (text += part));
  request.on("end", () => {
    received.push({ path: request.url, headers: request.headers, body: text && JSON.parse(text) });
    behaviour(request, response, text && JSON.parse(text));
  });
});

/** As the service: the directive in the system's message, memories before the last question. */
function whole(request, response, body) {
  if (request.url === "/v1/conversations") {
    const turns = body.messages.map((_, at) => ({ number: at + 1, status: "accepted" }));
    response.writeHead(202).end(JSON.stringify({ conversation_id: "c-1", turns, skipped: {} }));
    return;
  }
  const messages = body.messages.map((message) => ({ ...message }));
  const asked = messages.findLast(({ role }) => role === "user");
  const first = asked?.content.findIndex?.(({ type }) => type === "text");
  if (Array.isArray(asked?.content)) asked.content = asked.content.toSpliced(first, 0, { type: "text", text: BLOCK });
  const system = messages.find(({ role }) => role === "system");
  if (system) system.content = `${DIRECTIVE}\n${system.content}`;
  else messages.unshift({ role: "system", content: DIRECTIVE });
  response.end(JSON.stringify({ messages, metadata: { fallback_reason: "", memory_ids: ["m-1"] } }));
}

const client = (more = {}) => new Client({ url, apiKey: "rk_test", agentId: "a", deadlineMs: 5000, ...more });
const at = (path) => received.filter((one) => one.path === path).map(({ body, headers }) => ({ ...body, headers }));
const assemblies = () => at("/v1/context/assemble");

async function captured(memory) {
  await memory.flush();
  return at("/v1/conversations");
}

before(async () => {
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  behaviour = whole;
  received = [];
});

const said = (text, reason = "stop") => ({
  content: [{ type: "text", text }],
  finishReason: { unified: reason, raw: reason },
  usage: USAGE,
  warnings: [],
});
const streamed = (parts, reason = "stop") => ({
  stream: simulateReadableStream({
    chunks: [
      { type: "stream-start", warnings: [] },
      ...parts,
      { type: "finish", finishReason: { unified: reason, raw: reason }, usage: USAGE },
    ],
  }),
});
const inPieces = (text) => [
  { type: "text-start", id: "1" },
  ...text.split(" ").map((word, place) => ({ type: "text-delta", id: "1", delta: place ? ` ${word}` : word })),
  { type: "text-end", id: "1" },
];

function model(answers = {}) {
  return new MockLanguageModelV3({
    modelId: "gpt-4o",
    doGenerate: async () => said(ANSWER),
    doStream: async () => streamed(inPieces(ANSWER)),
    ...answers,
  });
}

const WAYS = {
  async generateText(fields) {
    return (await generateText(fields)).text;
  },
  async streamText(fields) {
    return await streamText(fields).text;
  },
};
const calls = (model) => [...model.doGenerateCalls, ...model.doStreamCalls];
const named = (userId, more = {}) => ({ remembrancer: { userId, ...more } });

for (const [way, run] of Object.entries(WAYS)) {
  test(`${way}: the directive follows the system prompt, memories stand before the question, the turn is captured`, async () => {
    const [memory, plain, answers] = [client(), model(), []];
    const wrapped = wrapLanguageModel({ model: plain, middleware: remembrancer(memory, { onAssembled: (one) => answers.push(one) }) });
    const providerOptions = { ...named("isla", { sessionId: "s-1" }), openai: { user: "x" } };

    const text = await run({ model: wrapped, system: "Be brief.", prompt: QUESTION, providerOptions });

    assert.equal(text, ANSWER);
    const [{ prompt, providerOptions: passed }] = calls(plain);
    assert.deepEqual(prompt.map(({ role, content }) => [role, content]), [
      ["system", `Be brief.\n\n${DIRECTIVE}`],
      ["user", [{ type: "text", text: BLOCK }, { type: "text", text: QUESTION }].map((part, place) => ({ ...prompt[1].content[place], ...part }))],
    ]);
    assert.deepEqual(passed, { openai: { user: "x" } });
    const [asked] = assemblies();
    assert.deepEqual([asked.model, asked.session_id, asked.headers["x-end-user-id"]], ["gpt-4o", "s-1", "isla"]);
    assert.deepEqual(answers.map(({ memoryIds }) => memoryIds), [["m-1"]]);
    const [turn, ...more] = await captured(memory);
    assert.deepEqual(more, []);
    assert.deepEqual([turn.session_id, turn.headers["x-end-user-id"]], ["s-1", "isla"]);
    assert.deepEqual(turn.messages, [{ role: "user", content: QUESTION }, { role: "assistant", content: ANSWER }]);
  });

  test(`${way}: a turn with tools is captured once, and the host's parts stay the same objects`, async () => {
    const call = { type: "tool-call", toolCallId: "c-1", toolName: "look", input: "{}" };
    let step = 0;
    const plain = model({
      doGenerate: async () => (step++ ? said(ANSWER) : { ...said("I look."), content: [...said("I look.").content, call], finishReason: { unified: "tool-calls" } }),
      doStream: async () => (step++ ? streamed(inPieces(ANSWER)) : streamed([...inPieces("I look."), call], "tool-calls")),
    });
    const [memory, picture] = [client(), new Uint8Array(2_000_000)];
    const content = [{ type: "image", image: picture, mediaType: "image/png" }, { type: "text", text: QUESTION }];
    const look = tool({ description: "Looks.", inputSchema: jsonSchema({ type: "object", properties: {} }), execute: () => "Blue." });
    const wrapped = wrapLanguageModel({ model: plain, middleware: remembrancer(memory, { userId: () => "isla" }) });

    const text = await run({ model: wrapped, messages: [{ role: "user", content }], tools: { look }, stopWhen: stepCountIs(3) });

    assert.equal(text, ANSWER);
    const [, second] = calls(plain);
    const [file, block] = second.prompt.find(({ role }) => role === "user").content;
    assert.equal(file.data, picture);
    assert.equal(block.text, BLOCK);
    assert.deepEqual(second.prompt.map(({ role }) => role), ["system", "user", "assistant", "tool"]);
    assert.equal(second.prompt[3].content[0].toolCallId, "c-1");
    const [first, again] = assemblies();
    assert.ok(JSON.stringify(first).length < 10_000);
    assert.match(first.session_id, /^derived-/);
    assert.equal(first.session_id, again.session_id);
    assert.deepEqual(first.tools.map((one) => one.function.name), ["look"]);
    const turns = await captured(memory);
    assert.deepEqual(turns.map(({ messages }) => messages.map((one) => one.content)), [[QUESTION, ANSWER]]);
  });
}

const BLANK = ["", " ", "\u3000", "\u200b"];
test("a blank name, all users and a name that is no text get no memory and no capture, whatever is captured", async (context) => {
  const warned = context.mock.method(console, "warn", () => {});
  const [memory, plain, reasons] = [client(), model(), []];
  for (const mode of ["users", "all"]) {
    const settings = { capture: mode, onAssembled: ({ reason }) => reasons.push(reason) };
    for (const userId of [...BLANK, "*", " * ", null, 7]) {
      const wrapped = wrapLanguageModel({ model: plain, middleware: remembrancer(memory, settings) });
      await generateText({ model: wrapped, prompt: QUESTION, providerOptions: named(userId) });
    }
    for (const userId of [...BLANK, "*", () => { throw new Error("no session"); }]) {
      const wrapped = wrapLanguageModel({ model: plain, middleware: remembrancer(memory, { ...settings, userId }) });
      await generateText({ model: wrapped, prompt: QUESTION, providerOptions: named("isla") });
    }
  }

  assert.deepEqual(received, []);
  assert.equal((await captured(memory)).length, 0);
  assert.deepEqual(new Set(reasons), new Set(["blank_end_user"]));
  assert.equal(warned.mock.callCount(), 2 * (4 + 2));
  assert.ok(calls(plain).every(({ prompt }) => !JSON.stringify(prompt).includes("Tea.")));
});

test("without an end user there are shared memories only, and capture where all is captured", async () => {
  const turns = {};
  for (const mode of ["users", "all", "off"]) {
    const memory = client();
    received = [];
    const wrapped = wrapLanguageModel({ model: model(), middleware: remembrancer(memory, { capture: mode }) });
    await generateText({ model: wrapped, prompt: QUESTION });
    assert.deepEqual(assemblies().map(({ headers, user_id }) => [headers["x-end-user-id"], user_id]), [[undefined, undefined]]);
    turns[mode] = (await captured(memory)).length;
  }

  assert.deepEqual(turns, { users: 0, all: 1, off: 0 });
  assert.throws(() => remembrancer(client(), { capture: "some" }), /capture: must be one of/);
});

test("an answer in JSON and a stream that breaks are not captured", async () => {
  const memory = client();
  const parts = [{ type: "stream-start", warnings: [] }, ...inPieces(ANSWER)];
  const broken = new ReadableStream({
    pull(controller) {
      if (parts.length > 0) controller.enqueue(parts.shift());
      else controller.error(new Error("cut off"));
    },
  });
  const middleware = remembrancer(memory, { userId: "isla" });
  const wrapped = wrapLanguageModel({ model: model({ doStream: async () => ({ stream: broken }) }), middleware });

  await wrapped.doGenerate({ prompt: [{ role: "user", content: [{ type: "text", text: QUESTION }] }], responseFormat: { type: "json" } });
  const errors = [];
  await streamText({ model: wrapped, prompt: QUESTION }).consumeStream({ onError: (error) => errors.push(error.message) });

  assert.deepEqual(errors, ["cut off"]);
  assert.deepEqual(await captured(memory), []);
  assert.equal(assemblies().length, 2);
});

const FAULTS = {
  unreachable: (request) => request.socket.destroy(),
  invalid_answer: (_, response) => response.end("<html>It works!</html>"),
  http_502: (_, response) => response.writeHead(502).end("Bad Gateway"),
  timeout: () => {},
};
for (const [reason, fault] of Object.entries(FAULTS)) {
  for (const [way, run] of Object.entries(WAYS)) {
    test(`${way} goes on unchanged: ${reason}`, async () => {
      behaviour = fault;
      const [plain, reasons] = [model(), []];
      const settings = { userId: "isla", capture: "off", onAssembled: (one) => reasons.push(one.reason) };
      const memory = client(reason === "timeout" ? { deadlineMs: 45 } : {});
      const wrapped = wrapLanguageModel({ model: plain, middleware: remembrancer(memory, settings) });

      const text = await run({ model: wrapped, system: "Be brief.", prompt: QUESTION });

      assert.equal(text, ANSWER);
      assert.deepEqual(reasons, [reason]);
      const [{ prompt }] = calls(plain);
      assert.equal(prompt[0].content, "Be brief.");
      assert.deepEqual(prompt[1].content.map((part) => part.text), [QUESTION]);
    });
  }
}

test("a failing callback costs the call nothing but memory", async (context) => {
  context.mock.method(console, "warn", () => {});
  const [memory, plain] = [client(), model()];
  const fails = () => {
    throw new Error("on our side");
  };
  const wrapped = wrapLanguageModel({ model: plain, middleware: remembrancer(memory, { userId: "isla", onAssembled: fails }) });

  const { text } = await generateText({ model: wrapped, prompt: QUESTION });

  assert.equal(text, ANSWER);
  assert.deepEqual(calls(plain)[0].prompt.map(({ role }) => role), ["user"]);
  assert.equal((await captured(memory)).length, 1);
});
