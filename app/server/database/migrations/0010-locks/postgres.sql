-- Whoever counts mails under a name locks its row until the commit (takeTurns in database.ts). They are never changed.
create table locks (number integer primary key);
insert into locks select generate_series(0, 4095);
