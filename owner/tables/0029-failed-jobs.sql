-- A job whose next piece fails again and again stops, and says so.

alter table owner_jobs add column failures integer not null default 0;  -- of the next piece, one after the other
alter table owner_jobs add column stopped_why text;                     -- null: it was not stopped, or the owner did it
