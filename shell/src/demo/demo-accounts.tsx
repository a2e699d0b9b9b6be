import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import { Button } from '@clinic/ui';

interface DemoAccountsProps {
  readonly onChoose: (email: string, password: string) => void;
}

/** Fills in one of the demo accounts; demo mode only. */
export function DemoAccounts({ onChoose }: DemoAccountsProps) {
  return (
    <section aria-labelledby="demo-accounts" className="grid gap-3 rounded-field bg-base-200 p-3 min-[22rem]:p-4">
      <h2 id="demo-accounts" className="text-sm font-semibold">
        Demo accounts
      </h2>
      <div className="grid grid-cols-2 gap-2">
        {Object.entries(demoAccounts).map(([role, email]) => (
          <Button
            key={role}
            size="sm"
            variant="secondary"
            className="px-1"
            onClick={() => onChoose(email, demoPassword)}
          >
            {role.toUpperCase()}
          </Button>
        ))}
      </div>
    </section>
  );
}
