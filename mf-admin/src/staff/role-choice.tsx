import { roleLabels } from '@clinic/contracts';
import { roleTexts, staffRoles, type StaffRole } from './staff-roles.ts';

interface RoleChoiceProps {
  readonly value: StaffRole;
  readonly onChange: (role: StaffRole) => void;
}

/** The roles with their meaning, one of them selected. */
export function RoleChoice({ value, onChange }: RoleChoiceProps) {
  return (
    <fieldset className="grid gap-3">
      <legend className="sr-only">Role</legend>
      {staffRoles.map((role) => (
        <label
          key={role}
          className="grid cursor-pointer grid-cols-[auto_1fr] gap-x-3 rounded-field border border-line p-4 has-checked:border-primary has-checked:bg-tint"
        >
          <input
            type="radio"
            name="role"
            className="row-span-2 mt-0.5 size-5 accent-primary"
            checked={role === value}
            onChange={() => onChange(role)}
          />
          <span className="font-semibold">{roleLabels[role]}</span>
          <span className="text-sm text-muted">{roleTexts[role]}</span>
        </label>
      ))}
    </fieldset>
  );
}
