import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openPage, serve } from '../testing.tsx';

const entry = {
  _id: 'a'.repeat(24),
  title: 'First',
  note: '',
  author: 'ann@clinic.example',
  writtenAt: '2026-01-02T10:00:00.000Z',
};

test('shows the entries, creates a new one and shows it too', async () => {
  const entries = [entry];
  const sent = serve(({ method, body }) => {
    if (method === 'GET') return Response.json(entries, { headers: { 'X-Total-Count': String(entries.length) } });
    entries.unshift({ ...entry, _id: 'b'.repeat(24), ...(body as object) });
    return Response.json(entries[0], { status: 201 });
  });
  await openPage('/dash/messages');
  await screen.findByText('First');

  const form = screen.getByRole('form', { name: 'New entry' });
  await userEvent.click(within(form).getByRole('button', { name: 'Write entry' }));
  await within(form).findByText('Title is required');
  await userEvent.type(within(form).getByLabelText(/^Title/), 'Second');
  await userEvent.click(within(form).getByRole('button', { name: 'Write entry' }));
  await screen.findByText('Second');
  expect(sent.find(({ method }) => method === 'POST')).toMatchObject({
    path: '/messages/entries',
    body: { title: 'Second', note: '' },
  });
  await waitFor(() => expect(within(form).getByLabelText(/^Title/)).toHaveProperty('value', ''));
});

test('reports that the entries could not be loaded, and what is wrong with a new one', async () => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  serve(({ method }) =>
    method === 'GET'
      ? Response.json(
          { type: '/problems/forbidden', title: 'Forbidden', status: 403, code: 'forbidden' },
          { status: 403 },
        )
      : Response.json(
          {
            type: '/problems/validation_failed',
            title: 'Invalid',
            status: 400,
            code: 'validation_failed',
            errors: [{ field: 'title', message: 'Title is too long' }],
          },
          { status: 400 },
        ),
  );
  await openPage('/dash/messages');
  await screen.findByText('Error loading entries');
  await userEvent.type(screen.getByLabelText(/^Title/), 'Long');
  await userEvent.click(screen.getByRole('button', { name: 'Write entry' }));
  await screen.findByText('Title is too long');
});
