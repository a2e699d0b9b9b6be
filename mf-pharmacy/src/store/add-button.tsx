import { Button } from '@clinic/ui';

export interface AddButtonProps {
  readonly name: string;
  /** It can't be sold. */
  readonly disabled: boolean;
  readonly inCart: boolean;
  readonly onAdd: () => void;
  readonly small?: boolean;
}

/** Adds a medicine to the cart, or says that it is there: a second press gets the specified message. */
export function AddButton({ name, disabled, inCart, onAdd, small = false }: AddButtonProps) {
  const label = inCart ? 'In the cart' : 'Add to Cart';
  return (
    <Button
      size={small ? 'sm' : 'md'}
      className={small ? 'grow noscript:hidden' : undefined}
      variant={inCart ? 'soft' : 'primary'}
      icon={inCart ? 'check' : 'plus'}
      disabled={disabled}
      aria-label={`${label}: ${name}`}
      onClick={onAdd}
    >
      {label}
    </Button>
  );
}
