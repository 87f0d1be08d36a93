/** What the server says on the wire (design.md, "Contract: LSP"). */
import type { Position, Range } from 'vscode-languageserver-protocol';

export type Status = 'open' | 'stale' | 'answered' | 'dismissed' | 'withdrawn' | 'resolved';
export type Kind = 'question' | 'warning';

export interface Said {
  readonly author: string;
  readonly text: string;
  readonly at: string;
}

export interface Place {
  readonly uri: string;
  readonly range: Range;
  readonly message: string;
}

export interface Finding {
  readonly id: string;
  readonly kind: Kind;
  readonly category: string;
  readonly rule?: string;
  readonly uri: string;
  readonly range: Range;
  readonly message: string;
  readonly why: string;
  readonly quote: string;
  readonly related: readonly Place[];
  readonly source: 'model' | 'examiner';
  readonly status: Status;
  readonly thread: readonly Said[];
}

/** What may be told of a finding by now (`review.reveal`). */
export interface Told {
  readonly before: readonly string[];
  readonly places: readonly Place[];
  readonly after: readonly string[];
  readonly named: boolean;
  readonly more: boolean;
}

/** `socreates/didChangeFindings`: all findings of a document. */
export interface Changed {
  readonly uri: string;
  readonly version?: number;
  readonly findings: readonly Finding[];
  readonly told?: Readonly<Record<string, Told>>;
}

export type Scope = 'selection' | 'file' | 'changes' | 'workspace';

export interface ReviewParams {
  readonly uri?: string;
  readonly range?: { readonly start: Position; readonly end: Position };
  readonly scope?: Scope;
  readonly ask?: string;
  readonly wait?: boolean;
}

export interface ReviewResult {
  readonly findings: readonly Finding[];
  readonly summary: string;
  readonly stop: string;
  readonly reviewer: { readonly provider: string; readonly model: string | null };
  readonly skipped?: readonly { readonly reason: string }[];
  readonly unread?: readonly unknown[];
}

export interface AskResult {
  readonly text: string;
  readonly findings: readonly Finding[];
  readonly stop: string;
}

export interface ReplyResult {
  readonly text: string;
  readonly verdict: 'stands' | 'withdrawn' | 'resolved';
  readonly finding: Finding | null;
}

export interface PreviewResult {
  readonly endpoint: string | null;
  readonly model: string | null;
  readonly files: readonly { readonly uri: string; readonly ranges: readonly Range[] }[];
  readonly estimatedTokens: number;
  readonly estimatedCostUsd: number | null;
}
