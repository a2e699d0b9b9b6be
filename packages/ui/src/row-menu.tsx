import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { useTableLayout } from './table-layout.ts';

export interface RowMenuProps {
  /** For assistive technology: 'More actions for order #4F09A1'. */
  readonly label: string;
  /** Actions that are beside the menu while there is room for all columns, and in it otherwise. */
  readonly beside?: ReactNode;
  /** On cards the menu stays a menu, at the end of the line, for records with many actions. */
  readonly folded?: boolean;
  /** The actions in the menu, small buttons with words. Dialogs they open must be rendered outside the row. */
  readonly children?: ReactNode;
}

/** A row's actions behind one button. Cards have room to show a few of them without a menu. */
export function RowMenu({ label, beside, folded = false, children }: RowMenuProps) {
  const layout = useTableLayout();
  if (layout === 'cards' && folded)
    return (
      <>
        {beside}
        <span className="ui-card-menu">
          <Menu label={label}>{children}</Menu>
        </span>
      </>
    );
  if (layout === 'cards')
    return (
      <>
        {beside}
        {children}
      </>
    );
  const full = layout === 'full';
  return (
    <span className="ui-row-actions">
      {full && beside}
      {(!full || children) && (
        <Menu label={label}>
          {!full && beside}
          {children}
        </Menu>
      )}
    </span>
  );
}

/** Space between the button and its menu, and least height below the button for the menu to open there, in pixels. */
const gap = 4;
const leastBelow = 220;

function Menu({ label, children }: Pick<RowMenuProps, 'label' | 'children'>) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  useEffect(() => {
    if (!open) return undefined;
    const close = (): void => menu.current?.hidePopover();
    // The menu is in the top layer and wouldn't move with its row.
    addEventListener('scroll', close, { capture: true, passive: true });
    addEventListener('resize', close);
    return () => {
      removeEventListener('scroll', close, { capture: true });
      removeEventListener('resize', close);
    };
  }, [open]);

  function place(): void {
    const at = button.current?.getBoundingClientRect();
    const style = menu.current?.style;
    if (!at || !style || !button.current) return;
    const { clientWidth, clientHeight } = document.documentElement;
    const below = clientHeight - at.bottom > leastBelow;
    const rightToLeft = getComputedStyle(button.current).direction === 'rtl';
    style.setProperty('inset-inline-end', `${rightToLeft ? at.left : clientWidth - at.right}px`);
    style.setProperty('top', below ? `${at.bottom + gap}px` : 'auto');
    style.setProperty('bottom', below ? 'auto' : `${clientHeight - at.top + gap}px`);
  }

  return (
    <>
      <Button
        ref={button}
        variant="ghost"
        size="sm"
        iconAfter="chevron-down"
        aria-label={label}
        aria-expanded={open}
        aria-controls={id}
        popoverTarget={id}
      >
        More
      </Button>
      {/* It only closes after a click on what is in it, which keyboards fire as well. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="ui-menu"
        onBeforeToggle={({ newState }) => newState === 'open' && place()}
        onToggle={({ newState }) => setOpen(newState === 'open')}
        onClick={({ target }) => {
          if (target instanceof Element && target.closest('button, a')) menu.current?.hidePopover?.();
        }}
      >
        {children}
      </div>
    </>
  );
}
