import { expect, type Locator } from '@playwright/test';
import { test } from './first-use.ts';

/** Counts what a person does; choosing from a list is filling in a field. */
export class Effort {
  clicks = 0;
  fields = 0;

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
  }

  async fill(field: Locator, text: string): Promise<void> {
    this.fields += 1;
    await field.fill(text);
  }

  /** @param option - its value, or what it says */
  async choose(field: Locator, option: string | { readonly label: string }): Promise<void> {
    this.fields += 1;
    await field.selectOption(option);
  }

  /** Prints the figures and compares them. */
  expectToBe(task: string, expected: { readonly clicks: number; readonly fields: number }): void {
    const { clicks, fields } = this;
    console.log(`${task}: ${clicks} clicks, ${fields} fields`);
    test.info().annotations.push({ type: 'effort', description: `${task}: ${clicks} clicks, ${fields} fields` });
    expect({ clicks, fields }, task).toEqual(expected);
  }
}
