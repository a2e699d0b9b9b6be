import { render, waitFor } from '@testing-library/react';
import { translate } from '../testing/translate.ts';
import { followTranslation } from './follow-translation.ts';

followTranslation(document.body);

interface Shown {
  readonly count: number;
  readonly more?: string;
  readonly first?: boolean;
}

/** Texts among others, which React changes, adds and removes one by one. */
function Page({ count, more, first = false }: Shown) {
  return (
    <>
      <p>
        Cart ({count}) {more} <b>{count} items</b>
      </p>
      {first && 'First '}
      {more && 'More: '}
      <i>{more}</i>
    </>
  );
}

/** Lets the mutations be seen, as they are before anything else happens in a browser. */
const settled = () => waitFor(() => undefined);

for (const beside of [false, true])
  test(`texts among others change, go and come on a translated page${beside ? ', translated beside them' : ''}`, async () => {
    const { container, rerender } = render(<Page count={0} more="open" first />);
    const shows = async (shown: Shown) => {
      translate(container, { beside });
      await settled();
      rerender(<Page {...shown} />);
      await settled();
      const { container: fresh, unmount } = render(<Page {...shown} />);
      expect(container.textContent).toBe(fresh.textContent);
      unmount();
    };
    await shows({ count: 1, more: 'open', first: true });
    await shows({ count: 12, more: 'closed' });
    await shows({ count: 12 });
    await shows({ count: 3, first: true });
    await shows({ count: 3, more: 'open', first: true });
  });
