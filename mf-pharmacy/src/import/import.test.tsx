import { problemResponse } from '@clinic/app-kit/test-gateway';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openPage, serve, type Sent } from '../testing/index.tsx';

const header = 'Medicine ID,Name,Quantity,Expiry date,Price per unit';

interface Line {
  readonly medicineId?: string;
  readonly name: string;
  readonly quantity: unknown;
}

/** A service that validates lines like the real one, stores them, and repeats its response for a known key. */
function serveImport(
  taken: readonly string[] = [],
  hold: (path: string, lines: readonly Line[]) => Promise<void> = () => Promise.resolve(),
) {
  const stored: Line[] = [];
  const answers = new Map<string, number>();
  const fails = { next: 0 };
  const sent: Sent[] = serve('pharmacist', async ({ path, key, body }) => {
    if (!path.startsWith('/medicine/import')) return Response.json([]);
    const lines = body['medicines'] as Line[];
    await hold(path, lines);
    const wrong = lines.flatMap(({ quantity }, place) =>
      typeof quantity === 'number' && quantity >= 0
        ? []
        : [{ field: `medicines.${place}.quantity`, message: 'Quantity must be a number' }],
    );
    if (wrong.length > 0) return problemResponse('validation_failed', 400, { errors: wrong });
    const twice = lines.flatMap(({ medicineId }, place) =>
      medicineId && taken.includes(medicineId)
        ? [{ field: `medicines.${place}.medicineId`, message: `There’s already a medicine with the ID ${medicineId}` }]
        : [],
    );
    if (twice.length > 0) return problemResponse('duplicate', 409, { errors: twice });
    if (path.endsWith('/check')) return Response.json({ acceptable: lines.length });
    const known = answers.get(key ?? '');
    if (known !== undefined) return Response.json({ added: known }, { status: 201 });
    stored.push(...lines);
    answers.set(key ?? '', lines.length);
    fails.next -= 1;
    // The response gets lost after the lines were stored.
    if (fails.next === 0) throw new TypeError('connection reset');
    return Response.json({ added: lines.length }, { status: 201 });
  });
  return { sent, stored, fails };
}

/** jsdom can't read files. @param content - bytes, or text in UTF-8 */
const fileOf = (content: string | Uint8Array) => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return Object.assign(new File([], 'medicines.csv', { type: 'text/csv' }), {
    arrayBuffer: () => Promise.resolve(bytes),
  });
};

async function choose(text: string | Uint8Array): Promise<void> {
  await openPage('/dash/addmedicine');
  await userEvent.upload(await screen.findByLabelText('Choose a CSV file'), fileOf(text));
}
const badLines = () =>
  within(screen.getByRole('region', { name: 'Problem' }))
    .getAllByText(/^Line /)
    .map((line) => line.closest('li')?.textContent);

beforeEach(() => sessionStorage.clear());

test('ten thousand lines are checked and imported in parts, with progress; bad lines are listed by line and field', async () => {
  const halfway = { check: Promise.withResolvers<void>(), import: Promise.withResolvers<void>() };
  const { sent, stored } = serveImport(['X-7000'], async (path, lines) => {
    if (lines[0]?.medicineId === 'X-3000') await (path.endsWith('/check') ? halfway.check : halfway.import).promise;
  });
  const lines = Array.from(
    { length: 10_000 },
    (_, index) => `X-${index},Medicine ${index},${index === 5000 ? 'many' : index},2999-01-01,1.5`,
  );
  await choose([header, ...lines].join('\n'));
  await waitFor(() =>
    expect(screen.getByRole<HTMLProgressElement>('progressbar', { name: 'Checking the lines' }).value).toBe(3_000),
  );
  halfway.check.resolve();
  expect(await screen.findByText('2 lines can’t be imported', {}, { timeout: 20_000 })).toBeTruthy();
  expect(badLines()).toEqual([
    'Line 5,002Quantity must be a number (Quantity: “many”)',
    'Line 7,002There’s already a medicine with the ID X-7000 (Medicine ID: “X-7000”)',
  ]);
  expect(stored).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Import 9,998 medicines' }));
  await waitFor(() =>
    expect(screen.getByRole<HTMLProgressElement>('progressbar', { name: 'Importing medicines' }).value).toBe(3_000),
  );
  halfway.import.resolve();
  expect(await screen.findByText('9,998 medicines were imported', {}, { timeout: 20_000 })).toBeTruthy();
  expect(new Set(stored.map(({ medicineId }) => medicineId)).size).toBe(9_998);
  const keys = sent.filter(({ path }) => path === '/medicine/import').map(({ key }) => key);
  expect(new Set(keys).size).toBe(100);
}, 60_000);

test('after a lost response it continues where it was, and nothing is stored twice', async () => {
  const { stored, fails } = serveImport();
  fails.next = 2;
  await choose([header, ...Array.from({ length: 250 }, (_, index) => `,Medicine ${index},1,2999-01-01,1`)].join('\n'));
  await userEvent.click(await screen.findByRole('button', { name: 'Import 250 medicines' }));
  expect(await screen.findByText('Import stopped after 100 of 250 lines')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('250 medicines were imported')).toBeTruthy();
  expect(stored).toHaveLength(250);
});

test('the same file after a reload continues with the same keys', async () => {
  const { sent, stored, fails } = serveImport();
  fails.next = 1;
  const file = [header, ',A,1,2999-01-01,1', ',B,1,2999-01-01,1'].join('\n');
  await choose(file);
  await userEvent.click(await screen.findByRole('button', { name: 'Import 2 medicines' }));
  expect(await screen.findByText('Import stopped after 0 of 2 lines')).toBeTruthy();
  cleanup();
  await choose(file);
  await userEvent.click(await screen.findByRole('button', { name: 'Import 2 medicines' }));
  expect(await screen.findByText('2 medicines were imported')).toBeTruthy();
  expect(stored.map(({ name }) => name)).toEqual(['A', 'B']);
  const keys = sent.filter(({ path }) => path === '/medicine/import').map(({ key }) => key);
  expect(keys[0]).toBe(keys[1]);
});

test('a file that isn’t a list of medicines is rejected at once, and a corrected one is accepted', async () => {
  const { sent } = serveImport();
  await choose('Name,Price\nA,1');
  expect(await screen.findByText('The header has no column “Quantity”, “Expiry date”.')).toBeTruthy();
  expect(sent).toEqual([]);
  await userEvent.upload(screen.getByLabelText('Choose a CSV file'), fileOf(`${header}\n,A,1,2999-01-01,1`));
  await waitFor(() => expect(screen.getByText('1 line can be imported')).toBeTruthy());
});

test('a file in an old encoding is read with a notice, and shows the lines to check', async () => {
  const { stored } = serveImport();
  const plain = Array.from({ length: 6 }, (_, index) => `X-${index};Medicine ${index};1;2999-01-01;1`);
  // In Windows-1252 é is a single byte, which isn't valid UTF-8.
  await choose(
    Uint8Array.from([header.replaceAll(',', ';'), ...plain, 'X-9;Café;1;2999-01-01;2,50'].join('\r\n'), (letter) =>
      letter.charCodeAt(0),
    ),
  );
  expect(await screen.findByText(/isn’t in UTF-8, so we read it as Windows-1252/)).toBeTruthy();
  expect(
    within(screen.getByRole('region', { name: 'Example' }))
      .getAllByText(/^(Café|Medicine \d)/)
      .map(({ textContent }) => textContent),
  ).toEqual(['Café']);
  await userEvent.click(screen.getByRole('button', { name: 'Import 7 medicines' }));
  expect(await screen.findByText('7 medicines were imported')).toBeTruthy();
  expect(stored.at(-1)).toEqual({
    medicineId: 'X-9',
    name: 'Café',
    manufacturer: '',
    quantity: 1,
    expiryDate: '2999-01-01',
    pricePerUnit: 2.5,
  });
});
