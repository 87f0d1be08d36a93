import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Finding, ReviewResult } from '../src/protocol';
import { ending, entry, escaped, heading, onOneLine, previewOf, question, statusOf, tally, who } from '../src/words';

const range = { start: { line: 4, character: 0 }, end: { line: 4, character: 9 } };
const finding: Finding = {
  id: '0123456789abcdef',
  kind: 'question',
  category: 'resources',
  rule: 'python-no-timeout',
  uri: 'file:///w/app.py',
  range,
  message: 'How long may `get(url)` wait?',
  why: 'A silent server holds the caller.',
  quote: 'get(url)',
  related: [{ uri: 'file:///w/db.py', range, message: 'the caller' }],
  source: 'examiner',
  status: 'open',
  thread: [],
};
const result: ReviewResult = {
  findings: [finding],
  summary: 'The examiner read 9 lines.',
  stop: 'answered',
  reviewer: { provider: 'examiner', model: null },
};
const named = (uri: string): string => uri.replace('file:///w/', '');

test('text shows itself: no link, no image, no HTML, no emphasis', () => {
  assert.equal(escaped('![x](http://a) <b> *y* [c](command:z)'), '\\!\\[x\\]\\(http\u2060://a\\) \\<b\\> \\*y\\* \\[c\\]\\(command:z\\)');
  assert.equal(escaped('see `a_b` and a_b'), 'see `a_b` and a\\_b');
  assert.equal(escaped('an open ` backtick'), "an open ' backtick");
});

test('a question has its places and why, and where it comes from', () => {
  const shown = question(finding, undefined, named);
  assert.match(shown, /^\*\*How long may `get\(url\)` wait\?\*\*/);
  assert.match(shown, /- \[db\.py:5\]\(file:\/\/\/w\/db\.py#L5\): the caller/);
  assert.match(shown, /A silent server holds the caller\./);
  assert.match(shown, /Question on resources, asked by the examiner, rule python\\-no\\-timeout\./);
});

test('on the ladder only what is open is told', () => {
  const told = { before: ['A narrower one?'], places: [], after: [], named: false, more: true };
  const shown = question(finding, told, named);
  assert.match(shown, /A narrower one\?/);
  assert.doesNotMatch(shown, /silent|db\.py|python/);
});

test('a place whose address would break the link is text', () => {
  const odd = { ...finding, related: [{ uri: 'file:///w/a)b.py', range, message: 'x' }] };
  assert.doesNotMatch(question(odd, undefined, named), /\]\(file/);
});

test('the heading says what became of it', () => {
  assert.equal(heading(finding), 'Socreates · resources');
  assert.equal(heading({ ...finding, status: 'answered' }), 'Socreates · resources · Answered');
  assert.equal(heading({ ...finding, status: 'stale' }), 'Socreates · resources · Stale');
});

test('findings are counted by kind', () => {
  const warning: Finding = { ...finding, kind: 'warning' };
  assert.equal(tally([]), '');
  assert.equal(tally([finding]), '1 question');
  assert.equal(tally([finding, finding, warning]), '2 questions and 1 warning');
});

test('a review ends in one sentence', () => {
  assert.deepEqual(ending(result), { sentence: '1 question.', more: false });
  assert.deepEqual(ending({ ...result, findings: [] }), { sentence: 'The examiner read 9 lines.', more: false });
  const failed = ending({ ...result, stop: 'failed', summary: 'The server hung up. More\nof it.' });
  assert.deepEqual(failed, { sentence: '1 question. The server hung up.', more: true });
  assert.ok(ending({ ...result, findings: [], summary: 'x'.repeat(900) }).sentence.length <= 200);
});

test('a preview says that nothing is sent without a model', () => {
  const files = [{ uri: 'file:///w/app.py', ranges: [range] }];
  const none = previewOf({ endpoint: null, model: null, files, estimatedTokens: 0, estimatedCostUsd: null }, named);
  assert.match(none, /\*\*Nothing\.\*\*/);
  const some = previewOf({ endpoint: 'http://h:1', model: 'm', files, estimatedTokens: 90, estimatedCostUsd: null }, named);
  assert.match(some, /To `http:\/\/h:1`, model `m`: about 90 tokens\./);
  assert.match(some, /app\.py: lines 5–5/);
});

test('who said it, and that a stranger did', () => {
  assert.equal(who('user'), 'You');
  assert.equal(who('somebody'), 'Not said on this machine');
});

test('the status begins with who reviews', () => {
  const reviewer = { provider: 'ollama', model: 'qwen3:8b', why: 'It is loaded.' };
  assert.match(statusOf({ reviewer }), /\*\*qwen3:8b\*\* reviews\. It is loaded\./);
  assert.match(statusOf({ reviewer: { provider: 'examiner', model: null } }), /\*\*The examiner\*\* reviews\./);
});

test('the status names the settings that are not at their defaults, and where they come from', () => {
  const settings = {
    'review.maxSteps': { value: 10, source: 'default' },
    'model.name': { value: 'a|b', source: 'editor settings' },
  };
  const shown = statusOf({ settings, problems: ['no such key'] });
  const [first] = shown.split('## All of It');
  assert.match(first ?? '', /\| model\.name \| "a\\\|b" \| editor settings \|/);
  assert.match(first ?? '', /- problem: no such key/);
  assert.doesNotMatch(first ?? '', /maxSteps/);
  assert.match(statusOf({}), /All are as they come\./);
});

test('where a command of a prompt begins and ends is seen on one line', () => {
  assert.equal(onOneLine('May this run:\npytest -q\nIt is not isolated.'), 'May this run: ⏎ pytest -q ⏎ It is not isolated.');
});

test('what is asked again stands once in a thread, where it was asked', () => {
  const again = 'You said: “It is locked.” Is it still so?';
  const thread = [
    { author: 'user', text: 'It is locked.', at: '' },
    { author: 'socreates', text: again, at: '' },
  ];
  const shown = question({ ...finding, message: `${finding.message}\n${again}`, thread }, undefined, named);
  assert.match(shown, /^\*\*How long may `get\(url\)` wait\?\*\*\n/);
  assert.doesNotMatch(shown, /still so/);
});

test('in a list the line comes first, and no backticks', () => {
  assert.equal(entry({ ...finding, message: 'How long may `get` wait?\nMore.' }, 5), '5: How long may get wait?');
});
