import { Button } from '@clinic/ui';

interface FormButtonsProps {
  /** What the form does. */
  readonly label: string;
  readonly busy: boolean;
  readonly onBack: () => void;
  readonly className?: string;
}

/** Sends a form of My Account, or leaves it. */
export const FormButtons = ({ label, busy, onBack, className = '' }: FormButtonsProps) => (
  <div className={`flex flex-wrap gap-3 ${className}`}>
    <Button type="submit" busy={busy}>
      {label}
    </Button>
    <Button variant="ghost" onClick={onBack}>
      Go back
    </Button>
  </div>
);
