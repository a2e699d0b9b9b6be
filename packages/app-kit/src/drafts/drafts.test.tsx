import { render } from '@testing-library/react';
import type * as Drafts from './drafts.ts';

/** A separate page, as after a load. */
function newPage(): typeof Drafts {
  let page: typeof Drafts | undefined;
  jest.isolateModules(() => {
    page = jest.requireActual<typeof Drafts>('./drafts.ts');
  });
  if (!page) throw new Error('not loaded');
  return page;
}

describe('drafts', () => {
  beforeEach(() => sessionStorage.clear());

  it('are kept in the page’s memory only', () => {
    const page = newPage();
    page.keepDraft('order ann', { phone: '1' });
    expect(page.draftOf('order ann')).toEqual({ phone: '1' });
    expect(page.draftOf('order bob')).toBeUndefined();
    expect(sessionStorage).toHaveLength(0);
    expect(newPage().draftOf('order ann')).toBeUndefined();
    page.keepDraft('order ann');
    expect(page.draftOf('order ann')).toBeUndefined();
  });

  it('are carried across one reload, and then removed from storage', () => {
    const before = newPage();
    before.keepDraft('order ann', { phone: '1' });
    before.carryDrafts();
    const after = newPage();
    expect(after.draftOf('order ann')).toEqual({ phone: '1' });
    expect(sessionStorage).toHaveLength(0);
    expect(newPage().draftOf('order ann')).toBeUndefined();
  });

  it('are read from a form when it is removed', () => {
    const { draftOf, useDraft } = jest.requireActual<typeof Drafts>('./drafts.ts');
    let typed = '1';
    const read = () => ({ typed });
    function Form() {
      useDraft('form', read);
      return null;
    }
    const { unmount } = render(<Form />);
    typed = '12';
    expect(draftOf('form')).toBeUndefined();
    unmount();
    expect(draftOf('form')).toEqual({ typed: '12' });
  });

  it('of forms with shared keys are dropped once the visitor is elsewhere', () => {
    const { carryDrafts, draftOf, forgetLeft, useDraft } = jest.requireActual<typeof Drafts>('./drafts.ts');
    const read = () => ({ firstName: 'Ann' });
    function Registration() {
      useDraft('register', read, 'forget');
      return null;
    }
    render(<Registration />).unmount();
    expect(draftOf('register')).toEqual({ firstName: 'Ann' });
    forgetLeft();
    expect(draftOf('register')).toBeUndefined();
    render(<Registration />).unmount();
    carryDrafts();
    expect(newPage().draftOf('register')).toEqual({ firstName: 'Ann' });
    forgetLeft();
  });

  it('stay in memory if storage isn’t available', () => {
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('QuotaExceeded');
    });
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const page = newPage();
    page.keepDraft('order ann', {});
    page.carryDrafts();
    expect(page.draftOf('order ann')).toEqual({});
    expect(warn).toHaveBeenCalled();
    jest.restoreAllMocks();
  });
});
