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

  it('are kept in the page’s memory while it is shown', () => {
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

  it('survive a reload by the visitor, and what is sent before it is gone', () => {
    const before = newPage();
    before.keepDraft('order ann', { phone: '1' });
    before.keepDraft('sent', { phone: '2' });
    before.keepDraft('sent');
    expect(sessionStorage).toHaveLength(0);
    window.dispatchEvent(new Event('pagehide'));
    expect(sessionStorage).toHaveLength(1);
    const after = newPage();
    expect(after.draftOf('order ann')).toEqual({ phone: '1' });
    expect(after.draftOf('sent')).toBeUndefined();
    expect(sessionStorage).toHaveLength(0);
  });

  it('are stored while the page is hidden, and taken back when it is shown', () => {
    const page = newPage();
    page.keepDraft('order ann', { phone: '1' });
    const hidden = jest.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(sessionStorage).toHaveLength(1);
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(sessionStorage).toHaveLength(0);
    expect(page.draftOf('order ann')).toEqual({ phone: '1' });
    jest.restoreAllMocks();
  });

  it('are gone after a log-out, also those of forms that are removed then', () => {
    const { carryDrafts, draftOf, forgetDrafts, keepDraft, useDraft } =
      jest.requireActual<typeof Drafts>('./drafts.ts');
    const read = () => ({ typed: '1' });
    function Form() {
      useDraft('form', read);
      return null;
    }
    const { unmount } = render(<Form />);
    keepDraft('order ann', { phone: '1' });
    forgetDrafts();
    unmount();
    carryDrafts();
    expect(draftOf('form')).toBeUndefined();
    expect(draftOf('order ann')).toBeUndefined();
    expect(sessionStorage).toHaveLength(0);
  });

  it('of a dialog are only carried across a reload: closing it drops them', () => {
    const { carryDrafts, draftOf, useDraft } = jest.requireActual<typeof Drafts>('./drafts.ts');
    const read = () => ({ typed: '1' });
    function Form() {
      useDraft('dialog', read, 'drop');
      return null;
    }
    const { unmount } = render(<Form />);
    carryDrafts();
    expect(newPage().draftOf('dialog')).toEqual({ typed: '1' });
    unmount();
    expect(draftOf('dialog')).toBeUndefined();
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
