import { Button } from '../../index.ts';
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
    'Sizes and states': () => (
      <>
        <Button size="sm">Small</Button>
        <Button size="lg">Large</Button>
        <Button busy>Saving...</Button>
        <Button disabled>Save</Button>
        <Button block>Sign In</Button>
      </>
    ),
    'Long text': () => (
      <>
        <Button icon="plus">{longText}</Button>
        <Button variant="secondary">{longWord}</Button>
      </>
    ),
  },
} satisfies Examples;
