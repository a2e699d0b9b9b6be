import { Link } from '@clinic/app-kit';
import { Button, ButtonLink, Alert, TextField } from '@clinic/ui';
import { checkEmail } from '../forms/check.ts';
import { useLocalForm } from '../forms/use-local-form.ts';
import { LilyPond } from '../layout/lily-pond.tsx';

export function Newsletter() {
  const { field, done, onInput, onSubmit } = useLocalForm('newsletter', { email: checkEmail });
  return (
    <section aria-label="Newsletter and booking" className="mx-auto max-w-page px-4 py-14 sm:px-6 md:py-20">
      <div className="grid overflow-hidden rounded-[1.75rem] border border-line bg-base-100 shadow-card lg:grid-cols-2">
        <div className="p-7 sm:p-10">
          <h2 className="text-title font-bold">Good health, once a month</h2>
          <p className="mt-3 text-muted">
            One short email with seasonal advice from our doctors. No advertising, and you can unsubscribe at any time.
          </p>
          <form noValidate onInput={onInput} onSubmit={onSubmit} className="mt-6 flex flex-wrap items-start gap-3">
            <TextField
              label="Email"
              hideLabel
              type="email"
              autoComplete="email"
              placeholder="you@example.com"
              {...field('email')}
              className="grow basis-56"
            />
            <Button type="submit">Subscribe</Button>
          </form>
          <div className="mt-4" aria-live="polite">
            {done && (
              <Alert kind="info">
                Thank you. The newsletter hasn’t started yet, so we haven’t kept your address and won’t send anything.
              </Alert>
            )}
          </div>
        </div>
        <div className="relative isolate grid min-h-96 content-start lg:min-h-80 lg:content-center p-7 sm:p-10">
          <LilyPond className="absolute inset-0 -z-10 size-full" />
          <div className="max-w-64 justify-self-start rounded-card bg-base-100 p-6 shadow-card">
            <h2 className="text-heading font-bold">Ready when you are</h2>
            <p className="mt-1 mb-4 text-sm text-muted">Choose a doctor and a free time. It takes about a minute.</p>
            <ButtonLink component={Link} to="/appointments" icon="calendar">
              Book Now
            </ButtonLink>
          </div>
        </div>
      </div>
    </section>
  );
}
