import type { ComponentPropsWithRef, ElementType, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';
import { Spinner } from './spinner.tsx';
import { keyOfText } from './key-of-text.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'soft' | 'ghost' | 'danger' | 'accent' | 'link';
export type ButtonSize = 'sm' | 'md' | 'lg';

const variants: Readonly<Record<ButtonVariant, string>> = {
  primary: 'btn-primary',
  secondary: 'btn-outline btn-primary',
  soft: 'btn-soft btn-primary',
  ghost: 'btn-ghost',
  danger: 'btn-error',
  accent: 'btn-accent',
  link: 'btn-link',
};
const sizes: Readonly<Record<ButtonSize, string | undefined>> = { sm: 'btn-sm', md: undefined, lg: 'btn-lg' };

interface Look {
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  /** As wide as its container. */
  readonly block?: boolean;
}

/** The classes of a button, for other elements, e.g. `<Link className={buttonClass({ variant: 'soft' })}>`. */
export function buttonClass({ variant = 'primary', size = 'md', block }: Look = {}, more?: string): string {
  return classNames('btn', variants[variant], sizes[size], block && 'btn-block', more);
}

/** The words wrap, beside icons that don't shrink. */
const wrapping = (words: ReactNode): ReactNode =>
  words && (
    <span key={keyOfText(words)} className="ui-words">
      {words}
    </span>
  );

interface Content extends Look {
  readonly icon?: IconName;
  readonly iconAfter?: IconName;
  readonly children?: ReactNode;
}

export interface ButtonProps extends Content, Omit<ComponentPropsWithRef<'button'>, 'children'> {
  /** The action is in flight: the button shows a spinner and ignores presses, but keeps the focus. */
  readonly busy?: boolean;
}

export function Button({
  variant,
  size,
  block,
  icon,
  iconAfter,
  busy = false,
  className,
  type = 'button',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const iconSize = size === 'sm' ? 16 : 18;
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({ variant, size, block }, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={(event) => {
        // aria-disabled instead of disabled: a disabled button drops the focus of keyboard users.
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <Spinner label="" size={iconSize} /> : icon && <Icon name={icon} size={iconSize} />}
      {wrapping(children)}
      {iconAfter && <Icon name={iconAfter} size={iconSize} />}
    </button>
  );
}

export type ButtonLinkProps<Anchor extends ElementType> = Content & {
  /** The component that renders the link, e.g. the router's `Link`; by default a plain anchor. */
  readonly component?: Anchor;
} & Omit<ComponentPropsWithRef<Anchor>, keyof Content | 'component'>;

/** A link that looks like a button: `<ButtonLink component={Link} to="/ourDoctors">` or `<ButtonLink href="…">`. */
export function ButtonLink<Anchor extends ElementType = 'a'>(props: ButtonLinkProps<Anchor>) {
  const {
    component: Link = 'a' as ElementType,
    variant,
    size,
    block,
    icon,
    iconAfter,
    className,
    children,
    ...rest
  } = props as ButtonLinkProps<'a'>;
  return (
    <Link {...rest} className={buttonClass({ variant, size, block }, className)}>
      {icon && <Icon name={icon} size={18} />}
      {wrapping(children)}
      {iconAfter && <Icon name={iconAfter} size={18} />}
    </Link>
  );
}
