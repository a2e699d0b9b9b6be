/** No page has this address. */
export class PageMissing extends Error {
  override readonly name = 'PageMissing';

  constructor() {
    super('Not Found');
  }
}
