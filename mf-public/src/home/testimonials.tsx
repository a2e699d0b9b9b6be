import { Avatar, Button, Card, Rating } from '@clinic/ui';
import { useState } from 'react';
import { Section } from '../layout/section.tsx';

interface Testimonial {
  readonly name: string;
  readonly text: string;
  readonly rating: 4 | 5;
  readonly role: string;
}

/** Fixed: six, rated 4 or 5. The stylesheet's speed assumes six. */
const testimonials: readonly Testimonial[] = [
  {
    name: 'Amina K.',
    role: 'Patient',
    rating: 5,
    text: 'My doctor took the time to draw what was going on in my heart. For the first time I understood my own results.',
  },
  {
    name: 'Rafiq I.',
    role: 'Father of two',
    rating: 5,
    text: 'Both children seen in one visit, no tears, and we were home before lunch.',
  },
  {
    name: 'Grace O.',
    role: 'Patient',
    rating: 4,
    text: 'Booking took a minute and I was called in on time. The parking could be larger.',
  },
  {
    name: 'Jonas L.',
    role: 'Emergency patient',
    rating: 5,
    text: 'Two in the morning, a broken wrist, and everyone was calm and kind. Thank you.',
  },
  {
    name: 'Sofia M.',
    role: 'Pharmacy customer',
    rating: 4,
    text: 'I order my medicines in the evening and they arrive the next day, well packed.',
  },
  {
    name: 'Daniel C.',
    role: 'Patient',
    rating: 5,
    text: 'Six weeks after my knee operation I walk without pain, and they still call to ask how I am.',
  },
];

/** A strip that moves slowly; it pauses under the pointer, with the focus, and with reduced motion. */
export function Testimonials() {
  const [resting, setResting] = useState(false);
  return (
    <Section
      title="What Our Patients Say"
      lead="In their own words."
      action={
        <Button
          variant="ghost"
          size="sm"
          aria-pressed={resting}
          onClick={() => setResting(!resting)}
          className="motion-reduce:hidden"
        >
          {resting ? 'Resume' : 'Pause'}
        </Button>
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the strip scrolls by keyboard, and pauses while it has the focus */}
      <section className="testimonial-strip" aria-label="Testimonials" tabIndex={0} data-resting={resting || undefined}>
        <ul>
          {testimonials.map((testimonial) => (
            <TestimonialCard key={testimonial.name} {...testimonial} />
          ))}
        </ul>
        <ul aria-hidden="true">
          {testimonials.map((testimonial) => (
            <TestimonialCard key={testimonial.name} {...testimonial} />
          ))}
        </ul>
      </section>
    </Section>
  );
}

function TestimonialCard({ name, text, rating, role }: Testimonial) {
  return (
    <Card as="li" className="flex w-[250px] flex-none flex-col gap-4 p-5!">
      <Rating value={rating} size={16} />
      <blockquote className="text-sm">“{text}”</blockquote>
      <div className="mt-auto flex items-center gap-3">
        <Avatar name={name.replace('.', '')} />
        <p className="text-sm leading-tight">
          <span className="block font-semibold">{name}</span>
          <span className="text-muted">{role}</span>
        </p>
      </div>
    </Card>
  );
}
