import { readFileSync, globSync } from 'node:fs';
import path from 'node:path';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type SyntheticEvent } from 'react';
import { TextField } from './text-field.tsx';

const root = path.join(import.meta.dirname, '../../..');

const hidden = ['\ufeff', '\u200b', '\u200e', '\u202a', '\u2066', '\u00ad', '\u2060', '\u{e0041}'];
const pasted = `\u202a${['amina', '@', 'example', '.com'].join(hidden.join(''))}\u202c\u00a0`;

const address = () => screen.getByLabelText<HTMLInputElement>('Email');

test('reads an email address as pasted without its invisible characters, in a field with a state', async () => {
  const read: string[] = [];
  const Form = () => {
    const [value, setValue] = useState('');
    read.push(value);
    return (
      <TextField
        label="Email"
        type="email"
        value={value}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
      />
    );
  };
  render(<Form />);
  await userEvent.click(address());
  await userEvent.paste(pasted);
  expect(address().value).toBe('amina@example.com');
  expect([...new Set(read)]).toEqual(['', 'amina@example.com']);
});

test('reads it so in a field that the form reads', async () => {
  const read: string[] = [];
  const onInput = ({ target }: SyntheticEvent) => read.push((target as HTMLInputElement).value);
  render(
    <form onInput={onInput}>
      <TextField label="Email" type="email" name="email" />
    </form>,
  );
  await userEvent.click(address());
  await userEvent.paste(pasted);
  expect(read).toEqual(['amina@example.com']);
});

test('leaves the joiners of a name where they are', async () => {
  render(<TextField label="Name" />);
  await userEvent.click(screen.getByLabelText('Name'));
  await userEvent.paste('র\u200d্যাব');
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('র\u200d্যাব');
});

test('every email address of the pages is typed into a TextField', () => {
  const inputs = globSync('{shell,mf-*,packages/*}/src/**/*.tsx', { cwd: root }).flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(/<input\b[^>]*\stype="email"[^>]*>/g)].map(
      ([tag]) => `${file}: ${tag}`,
    ),
  );
  // Those that tell password managers whose password it is.
  expect(inputs.filter((tag) => !tag.includes('readOnly'))).toEqual([]);
});

test('a locked field doesn’t look open', () => {
  const css = readFileSync(path.join(import.meta.dirname, 'css/controls.css'), 'utf8');
  const control = /^ {2}\.ui-control \{\n(.*?)^ {2}\}/ms.exec(css)?.[1] ?? '';
  const locked = /&:is\(:disabled, \[readonly\]\) \{(.*?)\}/s.exec(control)?.[1] ?? '';
  const look = (rules: string) => [/border-color: (.*);/, /background-color: (.*);/].map((one) => one.exec(rules)?.[1]);
  for (const [at, colour] of look(locked).entries()) {
    expect(colour).toBeTruthy();
    expect(colour).not.toBe(look(control)[at]);
  }
  render(<TextField label="Email" readOnly value="amina@example.com" />);
  expect(address().matches('.ui-control[readonly]')).toBe(true);
});
