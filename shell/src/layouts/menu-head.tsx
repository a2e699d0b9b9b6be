import { Link } from '@clinic/app-kit';
import { brand, Icon, Logo } from '@clinic/ui';
import type { Disclosure } from './use-disclosure.ts';

interface MenuHeadProps {
  readonly menu: Disclosure;
  /** Id of the element that the button shows on narrow screens. */
  readonly controls: string;
}

/** The brand, and on narrow screens the button of the menu. */
export function MenuHead({ menu: { open, toggle, button }, controls }: MenuHeadProps) {
  return (
    <>
      <Link to="/" aria-label={`${brand.brandName}, home`} className="flex rounded-field">
        <Logo />
      </Link>
      <button
        ref={button}
        type="button"
        className="ui-icon-button lg:hidden noscript:hidden"
        aria-expanded={open}
        aria-controls={controls}
        aria-label={open ? 'Close menu' : 'Open menu'}
        onClick={toggle}
      >
        <Icon name={open ? 'x' : 'menu'} size={24} />
      </button>
    </>
  );
}
