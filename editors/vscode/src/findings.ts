/** The findings as the server told them last. One truth: the server. */
import * as vscode from 'vscode';

import type { Changed, Finding, Status, Told } from './protocol';

const OPEN: ReadonlySet<Status> = new Set(['open', 'stale']);

/** A finding with its document and what may be told of it. */
export interface Known {
  readonly finding: Finding;
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly told: Told | undefined;
}

export class Findings implements vscode.Disposable {
  private readonly byDocument = new Map<string, readonly Known[]>();
  private readonly emitter = new vscode.EventEmitter<void>();
  readonly onChange = this.emitter.event;

  /** Take what the server says of a document, which is everything that it has there. */
  take(changed: Changed): void {
    const uri = vscode.Uri.parse(changed.uri);
    const known = changed.findings.map((finding) => ({ finding, uri, range: rangeOf(finding), told: changed.told?.[finding.id] }));
    if (known.length > 0) {
      this.byDocument.set(uri.toString(), known);
    } else {
      this.byDocument.delete(uri.toString());
    }
    this.emitter.fire();
  }

  clear(): void {
    this.byDocument.clear();
    this.emitter.fire();
  }

  all(): readonly Known[] {
    return [...this.byDocument.values()].flat();
  }

  get(id: string): Known | undefined {
    return this.all().find((one) => one.finding.id === id);
  }

  open(): readonly Known[] {
    return this.all().filter((one) => isOpen(one.finding));
  }

  dispose(): void {
    this.emitter.dispose();
  }
}

export function isOpen(finding: Finding): boolean {
  return OPEN.has(finding.status);
}

export function named(uri: vscode.Uri | string): string {
  return vscode.workspace.asRelativePath(typeof uri === 'string' ? vscode.Uri.parse(uri) : uri);
}

function rangeOf(finding: Finding): vscode.Range {
  const { start, end } = finding.range;
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
