import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { all, atLeast, isEmail, required, useFields } from './use-fields.ts';

const rules = {
  email: all(required('Email is required'), isEmail),
  password: all(required('Password is required'), atLeast(6, 'Too short')),
};
const onGood = jest.fn();

function Form() {
  const form = useFields({ email: '', password: '' }, rules);
  return (
    <form noValidate onSubmit={(event) => form.submit(event, onGood)}>
      {(['email', 'password'] as const).map((name) => {
        const { error, ...input } = form.field(name);
        return (
          <label key={name}>
            {name}
            <input {...input} />
            <span>{error}</span>
          </label>
        );
      })}
      <button type="submit">Send</button>
      <button type="button" onClick={() => form.fill({ email: 'demo@clinic.example', password: 'secret' })}>
        Demo
      </button>
      <button type="button" onClick={() => form.showErrors({ email: 'Taken' })}>
        Refuse
      </button>
    </form>
  );
}

const send = () => userEvent.click(screen.getByText('Send'));
const input = (name: string): HTMLInputElement => screen.getByLabelText(new RegExp(`^${name}`));

beforeEach(() => {
  onGood.mockReset();
  render(<Form />);
});

test('shows errors on submit, focuses the first invalid field, and validates corrections as they are typed', async () => {
  await userEvent.type(input('password'), 'abc');
  expect(screen.queryByText('Too short')).toBeNull();
  await send();
  expect(onGood).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(input('email'));
  expect(screen.getByText('Email is required')).toBeTruthy();
  expect(screen.getByText('Too short')).toBeTruthy();
  await userEvent.type(input('email'), 'a');
  expect(screen.getByText('Enter an email address like name@example.com')).toBeTruthy();
  await userEvent.type(input('email'), '@clinic.example');
  await userEvent.type(input('password'), 'def');
  expect(screen.queryByText('Too short')).toBeNull();
  await send();
  expect(onGood).toHaveBeenCalledWith({ email: 'a@clinic.example', password: 'abcdef' });
});

test('fills in values without showing errors', async () => {
  await send();
  await userEvent.click(screen.getByText('Demo'));
  expect(screen.queryByText('Email is required')).toBeNull();
  await send();
  expect(onGood).toHaveBeenCalledWith({ email: 'demo@clinic.example', password: 'secret' });
});

test('accepts values that a password manager wrote without events', async () => {
  // Bypasses React, as an extension does.
  const prototype = HTMLInputElement.prototype;
  Reflect.set(prototype, 'value', 'quiet@clinic.example', input('email'));
  Reflect.set(prototype, 'value', 'secret', input('password'));
  await send();
  expect(onGood).toHaveBeenCalledWith({ email: 'quiet@clinic.example', password: 'secret' });
});

test('shows what the server rejects', async () => {
  await userEvent.click(screen.getByText('Refuse'));
  expect(screen.getByText('Taken')).toBeTruthy();
});
