import { NavigationType } from 'react-router-dom';
import { createScrollMemory } from './scroll-memory.ts';

const at = (pathname: string, key: string, hash = '') => ({
  pathname,
  key,
  hash,
  search: '',
  state: null,
  mask: undefined,
});

describe('scroll memory', () => {
  let scrolled: jest.SpyInstance;
  const leaveAt = (position: number) =>
    Object.defineProperty(window, 'scrollY', { value: position, configurable: true });
  beforeEach(() => {
    scrolled = jest.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    leaveAt(0);
    sessionStorage.clear();
  });

  it('starts a new page at its top, and returns to where the previous page was left', () => {
    const memory = createScrollMemory();
    const first = at('/doctors', 'a');
    memory.arrive({ location: first, action: NavigationType.Pop, keepScroll: false });
    leaveAt(700);
    memory.leave(first);
    memory.arrive({ location: at('/about', 'b'), action: NavigationType.Push, keepScroll: false });
    expect(scrolled).toHaveBeenLastCalledWith({ top: 0, behavior: 'instant' });
    memory.arrive({ location: at('/doctors', 'a'), action: NavigationType.Pop, keepScroll: false });
    expect(scrolled).toHaveBeenLastCalledWith({ top: 700, behavior: 'instant' });
  });

  it('keeps the position for a changed filter, and for a link that the browser follows itself', () => {
    const memory = createScrollMemory();
    memory.arrive({ location: at('/doctors', 'default'), action: NavigationType.Pop, keepScroll: false });
    scrolled.mockClear();
    memory.arrive({ location: at('/doctors', 'b'), action: NavigationType.Replace, keepScroll: true });
    memory.arrive({ location: at('/doctors', 'default', '#main'), action: NavigationType.Pop, keepScroll: false });
    expect(scrolled).not.toHaveBeenCalled();
  });

  it('distinguishes an address typed in the same tab from the one before', () => {
    const memory = createScrollMemory();
    memory.arrive({ location: at('/doctors', 'default'), action: NavigationType.Pop, keepScroll: false });
    leaveAt(700);
    window.dispatchEvent(new Event('pagehide'));
    createScrollMemory().arrive({ location: at('/about', 'default'), action: NavigationType.Pop, keepScroll: false });
    expect(scrolled).toHaveBeenLastCalledWith({ top: 0, behavior: 'instant' });
    createScrollMemory().arrive({ location: at('/doctors', 'default'), action: NavigationType.Pop, keepScroll: false });
    expect(scrolled).toHaveBeenLastCalledWith({ top: 700, behavior: 'instant' });
  });

  it('scrolls to the place that an address names, and survives a reload', () => {
    document.body.innerHTML = '<h2 id="hours"></h2>';
    const target = jest.fn();
    Object.assign(document.getElementById('hours') as HTMLElement, { scrollIntoView: target });
    const memory = createScrollMemory();
    memory.arrive({ location: at('/about', 'a', '#hours'), action: NavigationType.Push, keepScroll: false });
    expect(target).toHaveBeenCalledTimes(1);
    leaveAt(300);
    window.dispatchEvent(new Event('pagehide'));
    createScrollMemory().arrive({
      location: at('/about', 'a', '#hours'),
      action: NavigationType.Pop,
      keepScroll: false,
    });
    expect(scrolled).toHaveBeenLastCalledWith({ top: 300, behavior: 'instant' });
  });
});
