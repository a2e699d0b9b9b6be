import { addCalls, useCall } from '@clinic/app-kit';
import type { User } from '@clinic/contracts';
import { identityCalls } from '@clinic/svc-identity/contract';
import { SearchField, Spinner } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import { useDeferredValue, useState } from 'react';

addCalls({ listUsers: identityCalls.listUsers });

/** People listed at once; more letters narrow them down. */
const shownAtOnce = 6;
/** Fewest letters worth a search. */
const leastLetters = 2;

/** Finds the patient an admin books for, so that nobody has to type an address that already has an account. */
export function ChoosePatient({ onChoose }: { readonly onChoose: (user: User) => void }) {
  const [text, setText] = useState('');
  const q = useDeferredValue(text.trim());
  const searching = q.length >= leastLetters;
  const {
    data = [],
    isFetching,
    error,
  } = useCall('listUsers', { query: { q, limit: shownAtOnce } }, { enabled: searching, keepPrevious: true });
  return (
    <div className="grid gap-2">
      <SearchField
        label="Find the patient"
        hideLabel={false}
        delay={250}
        placeholder="Name, email or phone of an account"
        value={text}
        onChange={setText}
      />
      {searching && (
        <ul aria-label="Accounts found" className="divide-y divide-line rounded-field border border-line empty:hidden">
          {data.map((user) => (
            <li key={user._id}>
              <button
                type="button"
                className="grid w-full cursor-pointer px-4 py-2 text-start hover:bg-base-200"
                onClick={() => {
                  onChoose(user);
                  setText('');
                }}
              >
                <span className="font-medium">{`${user.firstName} ${user.lastName}`.trim() || user.email}</span>
                <span className="text-sm text-muted">
                  <EmailText email={user.email} />
                  {user.phone && ` · ${user.phone}`}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {searching && data.length === 0 && (
        <output className="text-sm text-muted">
          {isFetching ? (
            <Spinner size={16} />
          ) : error ? (
            `We couldn’t search the accounts. ${error.message}`
          ) : (
            'No account matches. You can type the details of somebody without one.'
          )}
        </output>
      )}
    </div>
  );
}
