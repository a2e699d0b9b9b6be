import { readFile } from 'node:fs/promises';
import { parse, type Module } from '@swc/core';

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A parsed module, and the text of each of its parts. */
export interface ModuleText {
  readonly body: Module['body'];
  readonly textOf: (part: { readonly span: Span }) => string;
  /** The `/** … *\/` comment that ends right before a part, as one line; empty if there is none. */
  readonly commentOn: (part: { readonly span: Span }) => string;
}

/** Parses a TypeScript module. @throws Error if it has a mistake */
export async function readModule(file: string): Promise<ModuleText> {
  // The parser counts from the module's first token, in bytes, and over all modules: an empty statement is at a known place.
  const text = Buffer.from(`;${await readFile(file, 'utf8')}`);
  const { body, span } = await parse(text.toString(), { syntax: 'typescript', tsx: true });
  const slice = (from: number, to: number) => text.subarray(from - span.start, to - span.start).toString();
  return {
    body,
    textOf: ({ span: { start, end } }) => slice(start, end),
    commentOn({ span: { start } }) {
      const before = slice(span.start, start);
      const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export\s+)?$/.exec(before)?.[1] ?? '';
      return comment
        .replaceAll(/\s*\n\s*\*\s?/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim();
    },
  };
}
