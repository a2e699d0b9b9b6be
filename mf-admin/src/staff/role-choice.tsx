import { roleLabels } from '@clinic/contracts';
import { roleTexts, staffRoles, type StaffRole } from './staff-roles.ts';

interface RoleChoiceProps {
  readonly value: StaffRole;
  readonly onChange: (role: StaffRole) => void;
}

/** The roles with what they mean, one of them chosen. */
export function RoleChoice({ value, onChange }: RoleChoiceProps) {
  return (
    <fieldset className="grid gap-3">
      <legend className="sr-only">Role</legend>
      {staffRoles.map((role) => (
        <label key={role} className="flex cursor-pointer items-start gap-3 rounded-field border border-line p-4 has-checked:border-primary has-checked:bg-tint">
          <input type="radio" name="role" className="mt-0.5 size-5 shrink-0 accent-primary" checked={role === value} onChange={() => onChange(role)} />
          <span><span className="block font-semibold">{roleLabels[role]}</span><span className="block text-sm text-muted">{roleTexts[role]}</span></span>
        </label>
      ))}
    </fieldset>
  );
}
