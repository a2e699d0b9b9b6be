import { Button, ButtonLink } from '../../index.ts';
import { longText, longWord, type Examples } from '../example.ts';

/** What people press. */
export const actions = {
  Button: {
    Variants: () => (
      <>
        <Button>Book an appointment</Button>
        <Button variant="secondary">Reschedule</Button>
        <Button variant="soft">Details</Button>
        <Button variant="ghost">History</Button>
        <Button variant="danger">Cancel appointment</Button>
        <Button variant="accent">Emergency</Button>
        <Button variant="link">Forgot password?</Button>
      </>
    ),
    Sizes: () => (
      <>
        <Button size="sm">Small</Button>
        <Button>Medium</Button>
        <Button size="lg">Large</Button>
      </>
    ),
    'With icons': () => (
      <>
        <Button icon="plus">Add medicine</Button>
        <Button variant="secondary" iconAfter="arrow-right">
          Next
        </Button>
      </>
    ),
    Busy: () => <Button busy>Saving...</Button>,
    Disabled: () => <Button disabled>Save</Button>,
    'As wide as its container': () => <Button block>Sign In</Button>,
    'Longest label': () => <Button variant="secondary">Send the confirmation again</Button>,
    'Long text': () => (
      <>
        <Button icon="plus">{longText}</Button>
        <Button variant="secondary">{longWord}</Button>
      </>
    ),
  },
  ButtonLink: {
    Default: () => <ButtonLink href="#ButtonLink">Choose a doctor</ButtonLink>,
    'With an icon': () => (
      <ButtonLink href="#ButtonLink" variant="soft" icon="calendar">
        My appointments
      </ButtonLink>
    ),
    'Longest label': () => (
      <ButtonLink href="#ButtonLink" variant="secondary" iconAfter="arrow-right">
        Choose another doctor
      </ButtonLink>
    ),
  },
} satisfies Examples;
