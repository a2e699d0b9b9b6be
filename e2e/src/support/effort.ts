import { expect, type Locator, type Page } from '@playwright/test';
import { test } from './first-use.ts';

/** Counts what a person does; choosing from a list is filling in a field. */
export class Effort {
  clicks = 0;
  fields = 0;
  keys = 0;
  readonly #from = performance.now();

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

  /** A key that does something; letters belong to their field. */
  async press(page: Page, key: string): Promise<void> {
    this.keys += 1;
    await page.keyboard.press(key);
  }

  /** Prints the figures, with the seconds that the browser took, and compares the steps. */
  expectToBe(
    task: string,
    expected: { readonly clicks: number; readonly fields: number; readonly keys?: number },
  ): void {
    const { clicks, fields, keys } = this;
    const seconds = ((performance.now() - this.#from) / 1_000).toFixed(1);
    const figures = `${task}: ${clicks} clicks, ${fields} fields, ${keys} keys; ${seconds} s in the browser`;
    console.log(figures);
    test.info().annotations.push({ type: 'effort', description: figures });
    expect({ clicks, fields, keys }, task).toEqual({ keys: 0, ...expected });
  }
}
