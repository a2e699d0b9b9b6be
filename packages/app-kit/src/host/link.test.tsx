import { fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { Link, NavLink } from './link.tsx';

function Where() {
  const { pathname, state } = useLocation();
  return <output>{`${pathname} ${JSON.stringify(state)}`}</output>;
}

function show(links: React.ReactNode, at = '/') {
  render(
    <MemoryRouter initialEntries={[at]}>
      {links}
      <Where />
    </MemoryRouter>,
  );
}

const where = () => screen.getByRole('status').textContent;

test('a press opens the page with its state; another tab’s press, or one that was handled, is left to the browser', () => {
  const handled = jest.fn((event: React.MouseEvent) => event.preventDefault());
  show(
    <>
      <Link to="/doctors?page=2" state={{ from: 'here' }} className="own">
        Doctors
      </Link>
      <Link to="/elsewhere" onClick={handled}>
        Elsewhere
      </Link>
    </>,
  );
  const link = screen.getByRole('link', { name: 'Doctors' });
  expect([link.getAttribute('href'), link.className]).toEqual(['/doctors?page=2', 'own']);
  // A press that would open a tab: the test's browser can't.
  link.addEventListener('click', (event) => event.ctrlKey && event.preventDefault());
  fireEvent.click(link, { ctrlKey: true });
  fireEvent.click(screen.getByRole('link', { name: 'Elsewhere' }));
  expect([where(), handled.mock.calls.length]).toEqual(['/ null', 1]);
  fireEvent.click(link);
  expect(where()).toBe('/doctors {"from":"here"}');
});

test.each([
  ['/dash/users/1', ['Users']],
  ['/dash/users-of-old', []],
  ['/', ['Home']],
])('at %s a menu names %j as open', (at, current) => {
  show(
    <>
      <NavLink to="/" end>
        Home
      </NavLink>
      <NavLink to="/dash/users/">Users</NavLink>
    </>,
    at,
  );
  const open = screen.getAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'page');
  expect(open.map((link) => link.textContent)).toEqual(current);
});
