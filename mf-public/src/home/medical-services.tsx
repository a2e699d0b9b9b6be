import { Link } from '@clinic/app-kit';
import { ButtonLink, Card } from '@clinic/ui';
import { Drawing } from '../layout/drawing.tsx';
import { Section } from '../layout/section.tsx';
import { medicalServices } from '../services/services.ts';

export function MedicalServices() {
  return (
    <Section
      tinted
      title="Our Medical Services"
      lead="The care most people need most of the time, in one friendly place."
      action={
        <ButtonLink component={Link} to="/services" variant="soft" iconAfter="arrow-right">
          All about our services
        </ButtonLink>
      }
    >
      <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
        {medicalServices.map(({ name, drawing, summary }) => (
          <Card key={name} as="li" lively className="bg-base-200!">
            <Drawing name={drawing} />
            <h3 className="mt-5 text-heading font-semibold">{name}</h3>
            <p className="mt-2 text-sm text-muted">{summary}</p>
          </Card>
        ))}
      </ul>
    </Section>
  );
}
