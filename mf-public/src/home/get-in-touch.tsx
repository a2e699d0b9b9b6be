import { openingHours } from '@clinic/contracts/opening-days';
import { Alert, brand, Button, Card, EmailLink, Icon, TextAreaField, TextField, type IconName } from '@clinic/ui';
import type { ReactNode } from 'react';
import { checkEmail, checkFilled } from '../forms/check.ts';
import { useLocalForm } from '../forms/use-local-form.ts';
import { Section } from '../layout/section.tsx';

const link = 'underline decoration-line underline-offset-4 hover:decoration-current';

export function GetInTouch() {
  return (
    <Section
      tinted
      title="Get In Touch"
      lead="A question, a compliment, something we should do better? We read everything."
    >
      <div className="grid gap-10 lg:grid-cols-[1fr_1.4fr] lg:gap-16">
        <ul className="grid content-start gap-6">
          <Contact icon="phone" name="Call us">
            <a href={`tel:${brand.phone.replaceAll(' ', '')}`} className={link}>
              {brand.phone}
            </a>
          </Contact>
          <Contact icon="mail" name="Write to us">
            <EmailLink email={brand.email} className={link} />
          </Contact>
          <Contact icon="pin" name="Visit us">
            {brand.address}
          </Contact>
          <Contact icon="clock" name="Opening hours">
            {openingHours()}
          </Contact>
        </ul>
        <MessageForm />
      </div>
    </Section>
  );
}

function Contact({
  icon,
  name,
  children,
}: {
  readonly icon: IconName;
  readonly name: string;
  readonly children: ReactNode;
}) {
  return (
    <li className="flex gap-4">
      <span className="grid size-12 flex-none place-items-center rounded-2xl bg-tint text-primary">
        <Icon name={icon} />
      </span>
      <div>
        <h3 className="font-semibold">{name}</h3>
        <p className="text-muted">{children}</p>
      </div>
    </li>
  );
}

function MessageForm() {
  const { field, done, onInput, onSubmit } = useLocalForm('message', {
    firstName: (text) => checkFilled('First name', text),
    lastName: (text) => checkFilled('Last name', text),
    email: checkEmail,
    message: (text) => checkFilled('Message', text),
  });
  return (
    <Card className="bg-base-200!">
      <form
        noValidate
        onInput={onInput}
        onSubmit={onSubmit}
        className="grid gap-5 sm:grid-cols-2"
        aria-label="Send us a message"
      >
        <TextField label="First Name" autoComplete="given-name" required {...field('firstName')} />
        <TextField label="Last Name" autoComplete="family-name" required {...field('lastName')} />
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          required
          {...field('email')}
          className="sm:col-span-2"
        />
        <TextAreaField label="Message" rows={5} required {...field('message')} className="sm:col-span-2" />
        <p className="text-sm text-muted sm:col-span-2">
          This form doesn’t send messages yet. To reach us, call or email. In an emergency, call{' '}
          <a href={`tel:${brand.emergencyPhone}`} className={`${link} font-semibold`}>
            {brand.emergencyPhone}
          </a>
          .
        </p>
        <div className="flex flex-wrap items-center gap-4 sm:col-span-2">
          <Button type="submit" iconAfter="arrow-right">
            Send
          </Button>
          <div aria-live="polite" className="min-w-0 grow">
            {done && (
              <Alert kind="info" title="Thank you, but this form doesn’t send messages yet">
                We haven’t received what you wrote. Call {brand.phone} or email {brand.email}.
              </Alert>
            )}
          </div>
        </div>
      </form>
    </Card>
  );
}
