/** Steps of a run, what was seen in each, and the report that pytest reads. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export class Report {
  /** `folder` gets `report.json`, and a picture of the step that failed, or of each. */
  constructor(folder, pictures) {
    this.folder = folder;
    this.pictures = pictures;
    this.steps = [];
    this.failure = null;
    this.begun = Date.now();
    mkdirSync(folder, { recursive: true });
  }

  /** Do a step; what it returns is what was seen. */
  async step(window, name, act) {
    const begun = Date.now();
    const number = String(this.steps.length + 1).padStart(2, '0');
    const entry = { name, seen: null, milliseconds: 0 };
    this.steps.push(entry);
    try {
      entry.seen = (await act()) ?? null;
    } catch (error) {
      this.failure ??= `${name}: ${error.message}`;
      throw error;
    } finally {
      entry.milliseconds = Date.now() - begun;
      if (this.pictures || this.failure) {
        await window?.screenshot(join(this.folder, `${number}-${name.replaceAll(' ', '-')}.png`)).catch(() => {});
      }
      this.write();
    }
  }

  write() {
    const { steps, failure } = this;
    const whole = { failure, milliseconds: Date.now() - this.begun, steps };
    writeFileSync(join(this.folder, 'report.json'), JSON.stringify(whole, null, 1));
  }
}
