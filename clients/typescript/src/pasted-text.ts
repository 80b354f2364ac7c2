/**
 * What was pasted into a message: stack traces, logs, output of compilers and shells, differences, code, data. The same as
 * the Python client's `pasted_text.py`, by the same cases; its patterns are taken over word for word.
 */
import { words } from "./host-text.js";

/** So much of a line is looked at. */
const LINE_CHARACTERS = 400;
/** Somebody speaks of themselves. */
const SPEAKS = new RegExp(
  String.raw`(?:^|[\s(,;:!?.\"])(?:I|I['’](?:m|ve|d|ll)|[Mm]y|[Mm]ine|[Ww]e|[Ww]e['’](?:re|ve)|[Oo]ur|` +
    String.raw`[Ii]ch|[Mm]ein(?:e|en|em|er)?|[Ww]ir|[Jj]e|[Jj]['’]ai|[Nn]ous|[Yy]o)(?=[\s,;:!?.)]|$)`,
);
const LEVELS = String.raw`DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE|CRITICAL|NOTICE`;
const PATH = String.raw`(?:[\w.@~+-]*[/\\])?[\w./\\@:~+-]{0,200}\.[A-Za-z]\w{0,5}`;
const TRACES = anyOf(
  String.raw`\s*Traceback \(most recent call last\)`,
  String.raw`(?:During handling of|The above exception was the direct cause of) `,
  String.raw`Uncaught (?:\(in promise\) ?)?(?:[A-Z]\w*)?(?:Error|Exception)`,
  String.raw`Unhandled (?:exception\.|Runtime Error|promise rejection)`,
  String.raw`Exception in thread [\"']`,
  String.raw`Caused by: [\w$]+(?:\.[\w$]+)+`,
  String.raw`panic: runtime error`,
  String.raw`thread '[^']{0,80}' (?:\(\d+\) )?panicked at `,
  String.raw`stack backtrace:|Stack trace:\s*$|CallStack \(from `,
  String.raw`note: (?:run with|Some details are omitted)`,
  String.raw`goroutine \d+ \[|Require stack:\s*$`,
  String.raw`created by [\w./*()]{1,200}(?: in goroutine|\s*$)`,
  String.raw`exit status \d+\s*$|Node\.js v\d`,
  String.raw`Segmentation fault\s*(?:\(core dumped\))?\s*$|(?:Abort trap|Bus error|Aborted|Killed)\s*(?:: \d+|` +
    String.raw`\(core dumped\))\s*$`,
  String.raw`Program received signal SIG|==\d+==|SUMMARY: \w*Sanitizer|(?:READ|WRITE) of size \d+ at 0x`,
  String.raw`\*\* \(\w[\w.]*\) |\*\* exception error: `,
  String.raw`PHP (?:Fatal error|Parse error|Warning|Notice|Deprecated):  ?`,
  String.raw`(?:Fatal error|Warning|Notice|Parse error): .{0,300}(?: on line \d+|, line \d+)\s*$`,
  String.raw`\S{1,200}\.rb:\d+:in `,
  String.raw`Thread \d+ (?:Crashed|name)|\s*--- End of `,
  String.raw`(?:GET|POST|PUT|DELETE|PATCH) https?://\S{1,300} (?:\d{3} \(|net::ERR)`,
  String.raw`={5,}\s*$|={3,} .{1,120} ={3,}\s*$|_{5,} .{1,120} _{5,}\s*$|FAILED \S{1,200}::|E {2,}\S`,
  String.raw`(?:\w+\.){2,}[A-Z]\w*: `,
);
const FRAMES = anyOf(
  String.raw`\s*File \"[^\"]{1,300}\", line \d+`,
  String.raw`\s*at (?:async |new )?[\w$.<>\[\]/\x60*~+-]{1,200}(?: \[as \w{1,80}\])? ?\([^()\n]{0,300}(?::\d+|native|` +
    String.raw`<anonymous>|Unknown Source|Native Method)\)`,
  String.raw`\s+at (?:async |new )?[\w$<>\[\]/\x60~+-]{1,120}[.$:][\w$.<>\[\]/\x60~+-]{1,200} ?\(`,
  String.raw`\s*at (?:async )?\S{0,200}[/\\.]\S{0,200}:\d+(?::\d+)?\)?\s*$`,
  String.raw`\s*at \S{1,200}:\d+:\d+\)?\s*$`,
  String.raw`\s*\.\.\. \d+ (?:more|common frames omitted)\s*$`,
  String.raw`\s*#\d+\s+(?:0x[0-9a-f]{4,}|\{main\}|\S{0,200}[/\\:]\S{0,200}\()`,
  String.raw`\s*\d{1,4}: +(?:0x[0-9a-f]{4,}|<?[\w$]{1,100}::|rust_begin_unwind|__rust)`,
  String.raw`\s*(?:\d+: )?from \S{0,200}[/.]\S{0,200}:\d+:in `,
  String.raw`\s*--> \S{1,200}:\d+`,
  PATH + String.raw`:\d+(?::\d+)?(?::?\s*$|:in |: [A-Z]\w*(?:Error|Exception)\s*$)`,
  String.raw`\s+\([\w ]{1,60}[\d.]*\) \S{1,200}:\d+: `,
  String.raw`\s+in (?:function|call from)\s+\w{1,80}:\w{1,80}/\d`,
  String.raw`\s+\w{1,80}, called at \S{1,200}:\d+:\d+`,
  String.raw`\d{1,3}\s+\S{1,80}\s+0x[0-9a-f]{4,}\s`,
  String.raw`\S{0,120}@(?:https?|file|webpack[\w-]*|moz-extension)://\S{1,300}:\d+:\d+\s*$`,
  String.raw`0x[0-9a-f]{6,} in \S`,
  String.raw`  thrown in \S{1,300} on line \d+`,
  String.raw`[\w./]{1,120}\.[\w()*.]{1,120}\((?:0x[0-9a-f]+[^)]{0,200}|\.\.\.)?\)\s*$`,
);
const STAMP = String.raw`\W{0,2}(?:\d{4}[-/.]\d\d[-/.]\d\d[T ,]{1,2})?\d\d:\d\d:\d\d`;
const LOGS = anyOf(
  String.raw`\W{0,2}\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d[.,]\d{2,}`,
  String.raw`\W{0,2}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:?\d\d)`,
  String.raw`\W{0,2}\d\d:\d\d:\d\d[.,]\d{3}`,
  STAMP + String.raw`.{0,60}\b(?:` + LEVELS + String.raw`)\b`,
  String.raw`\[?(?:` + LEVELS + String.raw`)\]?:? {1,4}` + STAMP,
  STAMP + String.raw`\]? \[(?:error|warn|notice|info|debug|crit|alert|emerg)\]`,
  String.raw`\W{0,2}\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d.{0,8} (?:DEBUG|WARN|ERROR|FATAL|TRACE|CRITICAL)\b`,
  String.raw`[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,80} \S{1,80}?(?:\[\d+\])?: `,
  String.raw`\S{1,60} \S{1,60} \S{1,60} \[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d`,
  String.raw`\[[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d`,
  String.raw`(?:` + LEVELS + String.raw`):(?:[\w.]{1,80}:\S| {3,}\S)`,
  String.raw`\[ {0,6}\d{1,8}\.\d{3,}\] `,
  String.raw`[IWEF]\d{4} \d\d:\d\d:\d\d`,
  String.raw`(?:time|ts|level|lvl)=\S{1,60} .{0,200}\w=\S`,
  String.raw`\{\"?.{0,300}\"(?:level|severity|lvl|levelname)\" ?: ?`,
);
const OUTPUTS = anyOf(
  String.raw`\[(?:DEBUG|WARN|WARNING|ERROR|FATAL|TRACE|CRITICAL)\]\s`,
  String.raw`npm (?:ERR!|WARN|verb|http)|npm (?:error|warn) [a-z]+ [A-Z/\w]`,
  String.raw`Step \d+/\d+ : | ---> |The command '.{1,200}' returned a non-zero code|#\d+ \[\d+/\d+\] | => (?:ERROR|CACHED) `,
  String.raw`.{1,300} \([A-Z]\w*(?:Error|Exception)\)\s*$`,
  String.raw`\s+[×│╰╭]`,
  String.raw`[a-z][\w.-]{1,30}: (?:fatal )?error: |curl: \(\d+\) `,
  String.raw`.{1,200}: (?:No such file or directory|Permission denied|Connection refused)\s*$`,
  String.raw`compilation terminated\.|Found \d+ errors?(?:\.| in )`,
  String.raw`\S{1,200}:\d+:\d+: [A-Z]{1,5}\d{1,5} `,
  String.raw`\s*(?:.{0,300}\[type=\w+, input_value=|For further information visit https?://)`,
  String.raw`(?:yarn|pnpm) (?:run|install) v\d|added \d+ packages|\d+ packages are looking for funding`,
  String.raw`(?:error|warning)(?:\[\w{1,12}\]| [A-Z]{1,6}\d{2,6}): `,
  String.raw`\s*` + PATH + String.raw`(?::\d+(?::\d+)?|\(\d+,\d+\))(?::| -) ?(?:fatal )?(?:error|warning|note|info)\b`,
  String.raw`\S{1,200}: In (?:function|member function|instantiation of) `,
  String.raw`\s+\d+:\d+\s+(?:error|warning)\s`,
  String.raw`\s*[✖✗✘] \d+ problems?`,
  String.raw`error: (?:could not compile|aborting due to|failed to (?:push|compile|run)|linking with|pathspec|` +
    String.raw`subprocess-exited)`,
  String.raw`warning: \x60[\w-]{1,60}\x60 \(`,
  String.raw`fatal: (?:not a git|could not|couldn't|unable to|refusing to|repository|remote error|bad (?:object|revision)|` +
    String.raw`ambiguous argument|Authentication failed|unknown|cannot|'|No such)`,
  String.raw`-?(?:ba|z|da|fi|k)?sh: .{1,200}(?:not found|No such file|denied|expected)`,
  String.raw`zsh: (?:command not found|no matches found|permission denied)`,
  String.raw`Error response from daemon: |Error from server \(`,
  String.raw`ERROR: (?:Could not (?:find a version|install|build)|No matching distribution|pip's dependency|` +
    String.raw`Failed building)`,
  String.raw`(?:Collecting|Downloading|Installing collected packages:) \S+(?:[<>=~!]\S*)?\s*$|Successfully (?:installed|` +
    String.raw`built|uninstalled) \S+-\d|Requirement already satisfied: `,
  String.raw`\s*(?:Compiling|Checking|Downloaded) \S+ v\d|\s{2,}(?:Downloading|Finished|Running) \S`,
  String.raw`\[(?:INFO|ERROR|WARNING)\] (?:Scanning for projects|BUILD |Failed to execute goal|-{5,}|Total time|Building |` +
    String.raw`Finished at|Re-run Maven|To see the full)`,
  String.raw`> Task :|FAILURE: Build failed|\* (?:What went wrong|Try|Exception is):|Execution failed for task|` +
    String.raw`BUILD (?:FAILED|SUCCESSFUL) in`,
  String.raw`##\[\w+\]|::(?:error|warning|notice|group|endgroup|debug)\b`,
  String.raw`make(?:\[\d+\])?: (?:\*\*\*|Entering|Leaving|Nothing)|ninja: `,
  String.raw`ERROR \d{4} \(\w{5}\)|SQLSTATE\[|ORA-\d{5}: |LINE \d+: |Msg \d+, Level \d+`,
  String.raw`On branch \S{1,200}\s*$|Your branch is (?:up to date|ahead|behind)|Changes (?:not staged for|to be) commit|` +
    String.raw`Untracked files:|no changes added to commit|nothing to commit|\s+\(use \"git `,
  String.raw`commit [0-9a-f]{40}|Author: .{1,80} <\S{0,80}>\s*$|Date: {3}[A-Z][a-z]{2} `,
  String.raw`(?:Process finished with|Command failed with|Process completed with) exit code \d`,
  String.raw`(?:NAME|NAMESPACE|CONTAINER ID|REPOSITORY|PID|USER) {2,}.{0,200}(?:STATUS|READY|AGE|IMAGE|TTY|CLUSTER-IP|` +
    String.raw`COMMAND)\b`,
  String.raw`[bcdlps-](?:[r-][w-][xsStT-]){3}[.+@]? +\d+ `,
);
const CHANGES = anyOf(
  String.raw`diff --(?:git|cc|combined) `,
  String.raw`index [0-9a-f]{7,}\.\.[0-9a-f]{7,}`,
  String.raw`@@ -\d`,
  String.raw`--- (?:a/|/dev/null)`,
  String.raw`\+\+\+ (?:b/|/dev/null)`,
  String.raw`(?:new|deleted) file mode \d{6}`,
  String.raw`similarity index \d`,
);
const HUNK = new RegExp(String.raw`^(?:@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@)`);
const PROMPT = anyOf(
  String.raw`\(?[\w.-]{0,60}\)? ?[\w.-]{1,60}@[\w.-]{1,60}:[^\n$#]{0,200}[$#](?: |$)`,
  String.raw`\[[\w.-]{1,60}@[\w.-]{1,60} [^\]\n]{1,200}\][$#](?: |$)`,
  String.raw`[\w.-]{1,60}@[\w.-]{1,60} \S{1,200} % `,
  String.raw`PS [A-Z]:\\[^>\n]{0,200}>|[A-Z]:\\[^>\n]{0,200}>`,
  String.raw`\$ [a-z./~_][\w./~-]*(?: |$)`,
  String.raw`>>> ?\S`,
  String.raw`In \[\d+\]: |Out\[\d+\]: `,
);
const ERROR_NAME = new RegExp(
  "^(?:" +
    String.raw`(?:[A-Za-z_$][\w$]*(?:\.|::))*[A-Za-z_$][\w$]*[a-z\d](?:Error|Exception|Warning|Panic|Fault)(?:\s*[:(\[]|\s*$)|` +
    String.raw`(?:[A-Za-z_$][\w$]{0,80}\.){1,12}(?:Error|Exception)(?::|\s*$)` +
    ")",
);
/** Lines that go beside a line of machines; alone they may be somebody's. */
const LIKELY = anyOf(
  String.raw`\[?(?:` + LEVELS + String.raw`)\]?[:\s]`,
  String.raw`(?:[Ee]rror|Exception|[Ww]arning|[Ff]atal(?: error)?|panic|fatal|note|help|hint|Caused by)(?:\[\w+\])?: `,
  STAMP,
  String.raw`\s*\d*\s+\|(?:\s|$)|\s*\d+\s*\|\s`,
  String.raw`\s*[\^~][\^~-]*\s*$`,
  String.raw`\.\.\. `,
  String.raw`npm (?:error|warn|notice)|Run [a-z@./]\S*`,
  String.raw`\s*[}\])]+[,;]?\s*$`,
  String.raw`(?:- )?(?:/|\./|[A-Z]:\\)[\w./\\@-]{1,200}(?::\d+)?\s*$`,
  String.raw`\S+(?: {2,}\S+){2,}\s*$|\S+ {2,}\S.{0,200} {2,}\S`,
  String.raw`[\w.-]{1,40}: [\w.]{1,60}: `,
);
/** Of code and data, not of sentences. */
const CODE = anyOf(
  String.raw`\s{2,}\S`,
  String.raw`[a-z_][\w.]*\s*$`,
  String.raw`.{0,300}[;{}]\s*$`,
  String.raw`.{0,300}(?:::|=>|->|\\\\|\w\(|\w\[|[\"'\w]\s?[=!]=|0x[0-9a-f])`,
  String.raw`[<{}(\[]`,
  String.raw`[-=*_#.]{4,}\s*$|\d+ {2,}\S`,
  String.raw`\S{0,200}[/\\]\S{0,200}[/\\]\S*\s*$`,
);
const CODE_LINE = anyOf(
  String.raw`.{0,300}[;{]\s*$`,
  String.raw`\s*[})\]]+[;,)]*\s*$`,
  String.raw`\s*(?:async )?(?:def|fn|func|function|class|interface|struct|enum) [\w$]+ ?[(:{<]`,
  String.raw`\s*(?:import [\w.{*'\"]|from [\w.]+ import |#include|using [\w.]+;|package [\w.]+|require\()`,
  String.raw`\s*(?:const|let|var|val|return|export|public|private|static|if \(|for \(|while \() ?.{0,300}[=({]`,
  String.raw`\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|ALTER TABLE|DROP TABLE)\b`,
  String.raw`\s*</?[a-zA-Z][\w.-]*[ />]`,
  String.raw`\s*[\w$.]{1,80}(?:\[[^\]\n]{0,80}\])? ?[-+*/:]?= ?\S`,
  String.raw`\s*[\w$.]{1,80}\([^\n]{0,200}\)\s*$`,
  String.raw`\s*#!/`,
  String.raw`\s*@\w+(?:\(|\s*$)`,
);
const BULLET = new RegExp(String.raw`^(?:\s*(?:[-*+•] |\d{1,3}[.)] |[a-z]\) ))`);
/** A line that begins with a capital letter, has four words and an end of its own. */
const SENTENCE = new RegExp(String.raw`^(?:[^a-z\W\d_]\w*(?:\s\S+){3,}[.!?]$)`);
const NAMED = new RegExp(String.raw`^(?:[A-Za-z_][\w.]{0,200}(?:: |:?\s*$))`);
const LEVEL = new RegExp(
  "^(?:" +
    String.raw`\[(?:` + LEVELS + String.raw`)\]|(?:` + LEVELS + String.raw`) ` +
    ")",
);
const PANIC = new RegExp(String.raw`^(?:panic: |fatal error: |\[signal )`);
/** Most lines between two lines of machines that may be theirs. */
const GAP = 40;
const FENCE = new RegExp(String.raw`^[ \t]{0,3}(\x60{3,}|~{3,})[ \t]*([^\x60\n]{0,200})$`, "gm");
/** Names of fenced blocks that people use for their own words. */
const PLAIN = words(`
  text txt plain plaintext markdown md quote poem note notes email mail letter list address recipe`);

/** The text without what was pasted; unchanged where nothing was. */
export function withoutPastes(text: string): string {
  if (isData(text)) return "";
  const unfenced = withoutFences(text);
  const lines = unfenced.split("\n");
  const isPasted = pasted(lines.map((line) => line.slice(0, LINE_CHARACTERS)));
  if (unfenced === text && !isPasted.includes(true)) return text;
  return lines.filter((_, place) => !isPasted[place]).join("\n").replace(/\n{3,}/g, "\n\n").trim();
}

function anyOf(...patterns: string[]): RegExp {
  return new RegExp(`^(?:${patterns.map((pattern) => `(?:${pattern})`).join("|")})`);
}

function isData(text: string): boolean {
  if (!/^[{[]/.test(text) || !/[}\]]$/.test(text)) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

/** `change`, `prompt`, `machine`, `likely`; empty for a line of a person. */
function kindOf(line: string): string {
  if (CHANGES.test(line)) return "change";
  if (TRACES.test(line) || FRAMES.test(line) || LOGS.test(line)) return "machine";
  if (SPEAKS.test(line)) return "";
  if (PROMPT.test(line)) return "prompt";
  if (OUTPUTS.test(line) || ERROR_NAME.test(line)) return "machine";
  return LIKELY.test(line) ? "likely" : "";
}

function pasted(lines: readonly string[]): boolean[] {
  const kinds = lines.map(kindOf);
  const goes = goesByItself(lines, kinds);
  if (!goes.includes(true)) return goes;
  for (const step of [1, -1]) spread(lines, kinds, goes, step);
  fillGaps(lines, goes);
  return goes;
}

function goesByItself(lines: readonly string[], kinds: readonly string[]): boolean[] {
  let [removed, added, isBelowPrompt, awaits] = [0, 0, false, ""];
  return lines.map((line, place) => {
    const kind = kinds[place]!;
    if ((removed || added) && /^(?:[ +\\-]|$)/.test(line)) {
      if (removed && !/^[+\\]/.test(line)) removed -= 1;
      if (added && !/^[-\\]/.test(line)) added -= 1;
      return line !== "";
    }
    [removed, added] = [0, 0];
    const hunk = HUNK.exec(line);
    if (hunk) [removed, added] = [Number((hunk[1] ?? "1").slice(0, 7)), Number((hunk[2] ?? "1").slice(0, 7))];
    isBelowPrompt = kind === "prompt" || (isBelowPrompt && isOutput(line, kind));
    const isLast =
      (awaits === "trace" && NAMED.test(line)) || (awaits === "panic" && line.trim() !== "" && !SPEAKS.test(line));
    const isLevel = kind === "likely" && isLevelBeside(lines, place);
    const isMessage = awaits === "commit" && !line.slice(0, 4).trim();
    awaits = awaited(line, awaits, isLast);
    return kind === "change" || kind === "prompt" || kind === "machine" || isBelowPrompt || isLast || isLevel || isMessage;
  });
}

function awaited(line: string, awaits: string, isLast: boolean): string {
  if (line.includes("Traceback (most recent call last)")) return "trace";
  if (line.includes(" panicked at ") && line.trimEnd().endsWith(":")) return "panic";
  if (line.startsWith("Date:   ") || (awaits === "commit" && !line.slice(0, 4).trim())) return "commit";
  return awaits === "trace" && !isLast && /^[ \t]/.test(line) ? "trace" : "";
}

function isLevelBeside(lines: readonly string[], place: number): boolean {
  const beside = [lines[place - 1], lines[place + 1]];
  return LEVEL.test(lines[place]!) && beside.some((line) => line !== undefined && LEVEL.test(line));
}

function isOutput(line: string, kind: string): boolean {
  if (!line.trim()) return false;
  return kind !== "" || !(SPEAKS.test(line) || SENTENCE.test(line.trim()) || isFence(line));
}

function isFence(line: string): boolean {
  return line.search(FENCE) >= 0;
}

/** To likely lines beside those that go; downwards also to indented lines, upwards to a panic above goroutines. */
function spread(lines: readonly string[], kinds: readonly string[], goes: boolean[], step: number): void {
  let [isBeside, isChange, isBelow] = [false, false, false];
  for (let at = 0; at < lines.length; at += 1) {
    const place = step === 1 ? at : lines.length - 1 - at;
    const line = lines[place]!;
    if (goes[place]) {
      [isBeside, isChange, isBelow] = [true, kinds[place] === "change", line.startsWith("goroutine ")];
      continue;
    }
    const isIndented = step === 1 && !isChange && /^[ \t]/.test(line) && !BULLET.test(line);
    const isBlank = !line.trim();
    const isPanic = step === -1 && isBelow && PANIC.test(line);
    isBelow = isBelow && isBlank;
    isBeside = isPanic || (isBeside && !isBlank && (kinds[place] === "likely" || isIndented));
    goes[place] = isBeside;
  }
}

/** Lines like code between two lines that go, go with them. */
function fillGaps(lines: readonly string[], goes: boolean[]): void {
  let last = -1;
  for (const place of goes.flatMap((isGone, at) => (isGone ? [at] : []))) {
    const size = place - last - 1;
    if (last >= 0 && size > 0 && size <= GAP && lines.slice(last + 1, place).every(isCodeLike)) goes.fill(true, last + 1, place);
    last = place;
  }
}

function isCodeLike(line: string): boolean {
  if (!line.trim()) return true;
  return CODE.test(line) && !BULLET.test(line) && !SPEAKS.test(line) && !isFence(line);
}

/** Without fenced code; a fence without an end encloses the rest. */
function withoutFences(text: string): string {
  const kept: string[] = [];
  let at = 0;
  let start: RegExpExecArray | undefined;
  for (const mark of text.matchAll(FENCE)) {
    if (!start) {
      start = mark;
    } else if (mark[1]!.startsWith(start[1]!) && !mark[2]!.trim()) {
      if (isCodeBlock(start[2]!, text.slice(start.index + start[0].length, mark.index))) {
        kept.push(text.slice(at, start.index));
        at = mark.index + mark[0].length;
      }
      start = undefined;
    }
  }
  const isOpen = start && isCodeBlock(start[2]!, text.slice(start.index + start[0].length));
  return [...kept, text.slice(at, isOpen ? start!.index : text.length)].join("");
}

function isCodeBlock(name: string, text: string): boolean {
  const first = name.trim().toLowerCase().split(" ", 1)[0]!;
  if (first && !PLAIN.has(first)) return true;
  const lines = text.split("\n").filter((line) => line.trim()).map((line) => line.slice(0, LINE_CHARACTERS));
  const isMost = (isOne: (line: string) => boolean) => lines.length > 0 && 3 * lines.filter(isOne).length >= lines.length;
  return (
    isMost((line) => CODE_LINE.test(line) && !SPEAKS.test(line)) ||
    isMost((line) => ["change", "prompt", "machine"].includes(kindOf(line)))
  );
}
