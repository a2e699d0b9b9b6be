export const admin = { role: 'admin', email: 'admin@clinic.example' } as const;
export const ann = { role: 'patient', email: 'ann@mail.example' } as const;
export const ben = { role: 'patient', email: 'ben@mail.example' } as const;
export const drGrey = { role: 'doctor', email: 'grey@clinic.example' } as const;
export const drHouse = { role: 'doctor', email: 'house@clinic.example' } as const;
