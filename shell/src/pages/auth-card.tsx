import { Alert, Card, Spinner } from '@clinic/ui';
import { useState, type ReactNode } from 'react';
import { keepsCookies } from '../account/keeps-cookies.ts';

interface AuthCardProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
  /** Below the card: the link to the other form. */
  readonly after?: ReactNode;
}

/** The plain frame shared by login and registration. Says so if the browser won't keep the session's cookie. */
export function AuthCard({ title, text, children, after }: AuthCardProps) {
  const [canStayLoggedIn] = useState(keepsCookies);
  return (
    <div className="mx-auto grid w-full max-w-lg gap-6 px-4 py-10 sm:py-16">
      <header className="text-center">
        <h1 className="text-title font-bold">{title}</h1>
        <p className="mt-2 text-muted">{text}</p>
      </header>
      <Card className="grid gap-6">
        {!canStayLoggedIn && (
          <Alert kind="error">
            Your browser blocks cookies, so you can’t stay logged in. Allow cookies for this site, then reload the page.
          </Alert>
        )}
        {children}
      </Card>
      {after && <p className="text-center text-muted">{after}</p>}
    </div>
  );
}

/** While it is found out what to show. */
export const WaitingCard = ({ text }: { readonly text: string }) => (
  <AuthCard title="One moment" text={text}>
    <p className="flex justify-center">
      <Spinner size={28} />
    </p>
  </AuthCard>
);
