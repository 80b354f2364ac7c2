import type { Assembled, Message } from "./answer.js";
import { derivedSession, session, turn } from "./conversations.js";
import { isBlank } from "./end-users.js";
import type { Client } from "./index.js";
import { withAdded } from "./placement.js";

/** Their key in `providerOptions` of a call, which goes no further. */
const OWN = "remembrancer";
const ALL_USERS = "*";
const MODES = ["users", "all", "off"] as const;

/** What a call names in `providerOptions: { remembrancer: … }`. */
export interface Named {
  userId?: string | undefined;
  sessionId?: string | undefined;
}

type Name = string | (() => string | undefined) | undefined;

export interface MiddlewareSettings {
  /** The end user, or a function that names one for each call; else the call names one. Without: shared memories only. */
  userId?: Name;
  /** The conversation; else the call names one, or one is made of how the conversation begins. */
  sessionId?: Name;
  /** Turns that are captured: of named end users, of nobody too, whose memories all end users see, or none. */
  capture?: (typeof MODES)[number];
  /** Those of each assembly, such as `{ placement: "system" }`. */
  options?: Record<string, unknown>;
  /** The end user's, such as Europe/Berlin. */
  timeZone?: string;
  /** Is told each answer. */
  onAssembled?: (answer: Assembled) => void;
}

interface Asked extends Named {
  prompt: readonly Message[];
}

/**
 * A middleware for the AI SDK: `wrapLanguageModel({ model, middleware: remembrancer(memory) })`. Adds what the agent
 * should remember to each call of the model: the directive after the system prompt, memories before the message of the
 * user that they were found for. Captures each finished turn. Whatever goes wrong, the call goes on as it is.
 *
 * The types are those that versions 2, 3 and 4 of the SDK's specification have in common.
 */
export function remembrancer(memory: Client, settings: MiddlewareSettings = {}) {
  const mode = settings.capture ?? "users";
  if (!MODES.includes(mode)) throw new TypeError(`capture: must be one of ${MODES.join(", ")}, not ${mode}`);
  const asked = new WeakMap<object, Asked>();

  async function transformParams({ params, model }: { params: any; model: any }): Promise<any> {
    const { [OWN]: named, ...providerOptions } = params.providerOptions ?? {};
    let prompt: readonly Message[] = params.prompt;
    let chat: Asked | undefined;
    try {
      const userId = name(settings.userId, named?.userId);
      const sessionId = name(settings.sessionId, named?.sessionId);
      if (userId?.trim() === ALL_USERS) throw new TypeError("userId: names all end users, where it must name one");
      const isCaptured = userId === undefined ? mode === "all" : mode !== "off" && !isBlank(userId);
      // An answer in JSON is one for a program.
      if (isCaptured && params.responseFormat?.type !== "json") chat = { ...ids(userId, sessionId), prompt };
      const answer = await memory.assemble(prompt, {
        model: String(model.modelId),
        ...ids(userId, sessionId ?? derivedSession(prompt, { ...memory.names, ...ids(userId) })),
        ...(params.tools ? { tools: params.tools.filter(isFunction).map(tool) } : {}),
        // Marks of a provider's cache stand in `providerOptions` here.
        options: { ...settings.options, cache_control: false },
        ...(settings.timeZone ? { timeZone: settings.timeZone } : {}),
      });
      settings.onAssembled?.(answer);
      prompt = withAdded(prompt, answer.added);
    } catch (error) {
      console.warn("Remembrancer leaves memory out:", error);
    }
    const changed = { ...params, prompt, ...(named === undefined ? {} : { providerOptions }) };
    if (chat) asked.set(changed, chat);
    return changed;
  }

  function finished(params: object, parts: readonly any[]): void {
    const chat = asked.get(params);
    if (!chat || parts.some((part) => part.type === "tool-call" && !part.providerExecuted)) return;
    try {
      const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
      const said = turn(chat.prompt, text);
      if (said.length === 0) return;
      const sessionId = chat.sessionId ?? session(chat.prompt, text, memory.names.key);
      memory.capture(said, ids(chat.userId, sessionId));
    } catch (error) {
      console.warn("Remembrancer captures nothing:", error);
    }
  }

  return {
    // The SDK does not read it; each version of its types asks for its own.
    specificationVersion: "v3" as any,
    transformParams,
    async wrapGenerate({ doGenerate, params }: { doGenerate: () => PromiseLike<any>; params: any }): Promise<any> {
      const result = await doGenerate();
      finished(params, result.content);
      return result;
    },
    async wrapStream({ doStream, params }: { doStream: () => PromiseLike<any>; params: any }): Promise<any> {
      const result = await doStream();
      const parts: any[] = [];
      const transform = (part: any, controller: TransformStreamDefaultController) => {
        controller.enqueue(part);
        if (part.type === "text-delta") parts.push({ type: "text", text: part.delta });
        else if (part.type === "tool-call") parts.push(part);
        else if (part.type === "finish") finished(params, parts);
      };
      return asked.has(params) ? { ...result, stream: result.stream.pipeThrough(new TransformStream({ transform })) } : result;
    },
  };
}

/** What the middleware was told, or else what the call names. A name that is no text must not read as no name. */
function name(told: Name, ofCall: unknown): string | undefined {
  const found = (typeof told === "function" ? told() : told) ?? ofCall;
  if (found !== undefined && typeof found !== "string") throw new TypeError("userId, sessionId: must be texts");
  return found;
}

/** Blank sessions are none; blank end users are refused by the client. */
function ids(userId: string | undefined, sessionId?: string | undefined): { userId?: string; sessionId?: string } {
  return {
    ...(userId === undefined ? {} : { userId }),
    ...(sessionId === undefined || isBlank(sessionId) ? {} : { sessionId }),
  };
}

function isFunction(tool: { type: string }): boolean {
  return tool.type === "function";
}

function tool({ name, description, inputSchema }: Record<string, unknown>) {
  return { type: "function", function: { name, description, parameters: inputSchema } };
}
