/** Findings as the words that a reader sees. Pure, and free of VS Code, so that it is tested without it. */
import type { Finding, Place, PreviewResult, ReviewResult, Status, Told } from './protocol';

const SPECIAL = /([\\*_{}[\]<>()#+\-!|~&=])/g;
const CODE = /(`[^`\n]*`)/;
const ADDRESS = /\b(https?|ftp|mailto|www)(?=[:.])/gi;

const WHO: Readonly<Record<string, string>> = {
  user: 'You',
  model: 'The model',
  examiner: 'The examiner',
  socreates: 'Socreates',
};
const STATE: Readonly<Partial<Record<Status, string>>> = {
  answered: 'Answered',
  resolved: 'Resolved',
  withdrawn: 'Withdrawn',
  dismissed: 'Dismissed',
};

/** Text as Markdown that shows itself; pieces in backticks stay code, and no address becomes a link. */
export function escaped(text: string): string {
  return text
    .split(CODE)
    .map((part) =>
      CODE.test(part) ? part : part.replace(/`/g, "'").replace(SPECIAL, '\\$1').replace(ADDRESS, '$1\u2060'),
    )
    .join('');
}

/** A message with its line ends as signs: a notification shows none, and where a command begins and ends must be seen. */
export function onOneLine(text: string): string {
  return text.replace(/\s*\r?\n\s*/g, ' ⏎ ');
}

/** The question of a thread, without what is asked again further down in it. */
function first(finding: Finding): string {
  const later = new Set(finding.thread.filter((one) => one.author === 'socreates').map((one) => one.text));
  return finding.message
    .split('\n')
    .filter((line) => !later.has(line))
    .join('\n');
}

/** Who said something in a thread. */
export function who(author: string): string {
  return WHO[author] ?? 'Not said on this machine';
}

/** What the reader has to know of a finding besides its question. */
export function origin(finding: Finding, told?: Told): string {
  const rule = finding.rule !== undefined && (told?.named ?? true) ? `, rule ${finding.rule}` : '';
  const kind = finding.kind === 'warning' ? 'Warning' : 'Question';
  const asked = finding.source === 'examiner' ? 'the examiner' : 'the model';
  const stale = finding.status === 'stale' ? ' The lines changed since it was asked.' : '';
  return `${kind} on ${finding.category}, asked by ${asked}${rule}.${stale}`;
}

/** A finding as Markdown: the question, and what may be told of it. `named` gives a document's name for people. */
export function question(finding: Finding, told: Told | undefined, named: (uri: string) => string): string {
  const opened = told ?? { before: [], places: finding.related, after: [finding.why], named: true, more: false };
  const places = opened.places.map((place) => `- ${link(place, named)}: ${escaped(place.message)}`).join('\n');
  return [
    `**${escaped(first(finding))}**`,
    ...opened.before.map(escaped),
    places,
    ...opened.after.map(escaped),
    `*${escaped(origin(finding, opened))}*`,
  ]
    .filter((one) => one.trim() !== '')
    .join('\n\n');
}

function link(place: Place, named: (uri: string) => string): string {
  const line = place.range.start.line + 1;
  const text = escaped(`${named(place.uri)}:${line}`);
  return /^file:[^\s()<>]+$/.test(place.uri) ? `[${text}](${place.uri}#L${line})` : text;
}

/** The heading of a thread. */
export function heading(finding: Finding): string {
  const state = STATE[finding.status] ?? (finding.status === 'stale' ? 'Stale' : '');
  return ['Socreates', finding.category, state].filter((one) => one !== '').join(' · ');
}

/** A finding in a list, `line` from 1: a narrow one cuts the end, so the place comes first. */
export function entry(finding: Finding, line: number): string {
  return `${line}: ${(finding.message.split('\n', 1)[0] ?? '').replaceAll('`', '')}`;
}

/** `3 questions`, `1 question and 2 warnings`, or an empty text for none. */
export function tally(findings: readonly Finding[]): string {
  const count = (kind: string): string => {
    const found = findings.filter((one) => one.kind === kind).length;
    return found === 0 ? '' : `${found} ${kind}${found === 1 ? '' : 's'}`;
  };
  return [count('question'), count('warning')].filter((one) => one !== '').join(' and ');
}

/** What a review came to: a sentence for a notification, and whether there is more to read than fits into one. */
export function ending(result: ReviewResult): { readonly sentence: string; readonly more: boolean } {
  const whole = [result.summary, ...(result.skipped ?? []).map((one) => one.reason)].filter((one) => one !== '').join(' ');
  const first = firstSentence(whole);
  const found = tally(result.findings);
  const ended = result.stop === 'answered' || result.stop === 'step-limit';
  const sentence = found !== '' && ended ? `${found}.` : [found && `${found}.`, first].filter(Boolean).join(' ');
  return { sentence, more: whole.length > first.length + 1 };
}

/** The first sentence, of at most 200 characters. */
export function firstSentence(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  const match = /^.{1,200}?[.!?](?=\s|$)/.exec(line);
  return match?.[0] ?? (line.length > 200 ? `${line.slice(0, 199)}…` : line);
}

/** A review as a page: what was found, what was said, what was not read. */
export function reportOf(result: ReviewResult, named: (uri: string) => string): string {
  const by = result.reviewer.model ?? result.reviewer.provider;
  return page('Review', [
    `*By ${escaped(by)}.*`,
    result.summary,
    ...(result.skipped ?? []).map((one) => escaped(one.reason)),
    result.findings
      .map((one) => `- ${link({ uri: one.uri, range: one.range, message: '' }, named)}: ${escaped(one.message)}`)
      .join('\n'),
  ]);
}

/** What would be sent, as a page. */
export function previewOf(preview: PreviewResult, named: (uri: string) => string): string {
  const to = preview.endpoint;
  const lines = preview.files.map((file) => {
    const ranges = file.ranges.map((one) => `${one.start.line + 1}–${one.end.line + 1}`).join(', ');
    return `- ${escaped(named(file.uri))}: lines ${ranges}`;
  });
  if (to === null || to === '') {
    return page('What would be sent', ['**Nothing.** No model is set up: the examiner reads on this machine.', ...lines]);
  }
  const cost = preview.estimatedCostUsd === null ? '' : `, about ${preview.estimatedCostUsd.toFixed(4)} US dollars`;
  return page('What would be sent', [
    `To \`${to}\`${preview.model === null ? '' : `, model \`${preview.model}\``}: about ${preview.estimatedTokens} tokens${cost}.`,
    lines.join('\n'),
    '*Nothing was sent. A review may read more as it goes; what it read is told at its end.*',
  ]);
}

interface Setting {
  readonly value: unknown;
  readonly source: string;
}

/** What of the server's status its page begins with. */
interface Answer {
  readonly reviewer?: { readonly provider?: string; readonly model?: string | null; readonly why?: string };
  readonly endpoint?: string | null;
  readonly config?: string;
  readonly problems?: readonly string[];
  readonly settings?: Readonly<Record<string, Setting>>;
  readonly skipped?: readonly { readonly model: string; readonly reason: string }[];
}

/** The server's status, as a page: who reviews and why, what is not at its default, then all of it. */
export function statusOf(status: Readonly<Record<string, unknown>>): string {
  const { reviewer, endpoint, config, problems, settings, skipped } = status as Answer;
  const name = reviewer?.model ?? (reviewer?.provider === 'examiner' ? 'The examiner' : (reviewer?.provider ?? 'Nobody'));
  const set = Object.entries(settings ?? {}).filter(([, one]) => one.source !== 'default');
  return page('Status', [
    `**${escaped(name)}** reviews${endpoint ? `, at \`${endpoint}\`` : ''}. ${escaped(reviewer?.why ?? '')}`,
    listed((skipped ?? []).map((one) => `passed over: ${escaped(one.model)}: ${escaped(one.reason)}`)),
    listed((problems ?? []).map((one) => `problem: ${escaped(one)}`)),
    '## Settings',
    set.length === 0 ? 'All are as they come.' : ['| setting | value | from |', '|---|---|---|', ...set.map(row)].join('\n'),
    config === undefined ? '' : `Your own file is \`${config}\`.`,
    '## All of It',
    '```json\n' + JSON.stringify(status, null, 2) + '\n```',
  ]);
}

function row([name, { value, source }]: readonly [string, Setting]): string {
  return `| ${name} | ${escaped(JSON.stringify(value))} | ${escaped(source)} |`;
}

function listed(entries: readonly string[]): string {
  return entries.map((one) => `- ${one}`).join('\n');
}

export function page(title: string, paragraphs: readonly string[]): string {
  return [`# Socreates: ${title}`, ...paragraphs].filter((one) => one.trim() !== '').join('\n\n') + '\n';
}
