//+------------------------------------------------------------------+
//| Plimsoll: the file that rows are in while they wait longer than  |
//| one timer. It has a record a line: + and a row, - and how many   |
//| of the first rows are gone, = and how many were sent together.   |
//| Records are added at the end, so a crash spoils the last at most.|
//+------------------------------------------------------------------+
#define MAX_RECORDS 60000   // Before the file is written anew

class RowFile
  {
private:
   string            m_name;
   int               m_records;   // 0 when there is no file
   long              m_first;     // Number of the first row that it has
   long              m_next;      // Number after that of the last
   int               m_marked;
   int               m_version;   // Of the rows
   bool              m_isSpoilt;  // The disk took less than it was given

   //--- The number has six digits; only rows, which are never longer, are written after it
   void              Write(const int file,const string kind,const long number,const string row)
     {
      string record=kind+IntegerToString(number,6,'0')+row+"\n";
      if((int)FileWriteString(file,record,StringLen(record))!=StringLen(record))
         m_isSpoilt=true;
      m_records++;
     }

   //--- All rows that it does not have, and the mark
   void              WriteRows(const int file,Rows &rows)
     {
      for(int i=(int)(m_next-rows.Dropped()); i<rows.Count(); i++)
         Write(file,"+",StringLen(rows.Row(i)),rows.Row(i));
      if(rows.Marked()!=m_marked)
         Write(file,"=",rows.Marked(),"");
      m_next=rows.Dropped()+rows.Count();
      m_marked=rows.Marked();
     }

   //--- The old file stays until the new one is complete
   bool              WriteAnew(Rows &rows)
     {
      int file=FileOpen(m_name+".new",FILE_WRITE|FILE_BIN|FILE_ANSI);
      if(file==INVALID_HANDLE)
         return(false);
      m_isSpoilt=false;
      m_records=0;
      m_marked=0;
      m_first=rows.Dropped();
      m_next=m_first;
      m_version=rows.Version();
      WriteRows(file,rows);
      FileClose(file);
      if(m_isSpoilt)
         return(false);
      m_isSpoilt=!FileMove(m_name+".new",0,m_name,FILE_REWRITE);
      return(!m_isSpoilt);
     }

   bool              Append(Rows &rows)
     {
      long gone=rows.Dropped()-m_first;
      if(gone==0 && m_next==rows.Dropped()+rows.Count() && m_marked==rows.Marked())
         return(true);
      int file=FileOpen(m_name,FILE_READ|FILE_WRITE|FILE_BIN|FILE_ANSI);
      if(file==INVALID_HANDLE)
         return(false);
      FileSeek(file,0,SEEK_END);
      if(gone>0)
        {
         Write(file,"-",gone,"");
         m_first+=gone;
         m_marked=0;
        }
      WriteRows(file,rows);
      FileClose(file);
      return(!m_isSpoilt);
     }

   void              Read(const int file,Rows &rows)
     {
      while(!FileIsEnding(file))
        {
         string start=FileReadString(file,7);
         int    number=(int)WholeNumberAt(start,1);
         bool   isRow=(StringFind(start,"+")==0);
         if(StringLen(start)<7 || number<0 || (!isRow && number>rows.Count()))
            return;
         string text=FileReadString(file,isRow ? number+1 : 1);
         int    length=StringLen(text);
         if(length==0 || StringGetCharacter(text,length-1)!='\n')
            return;
         if(isRow)
            rows.Push(StringSubstr(text,0,length-1));
         else
            if(StringFind(start,"-")==0)
               rows.DropFirst(number);
            else
               if(StringFind(start,"=")==0)
                  rows.Mark(number);
        }
     }

public:
   bool              Exists(void) { return(m_records>0); }

   //--- Adds what an earlier run has left
   void              Open(const string name,Rows &rows)
     {
      m_name=name;
      m_records=0;
      if(!FileIsExist(m_name) && FileIsExist(m_name+".new"))
         FileMove(m_name+".new",0,m_name,FILE_REWRITE);
      int file=FileOpen(m_name,FILE_READ|FILE_BIN|FILE_ANSI);
      if(file==INVALID_HANDLE)
         return;
      Read(file,rows);
      FileClose(file);
      m_records=MAX_RECORDS;
      Save(rows);
     }

   //--- Brings the file up to date. False when that failed: then only memory has the rows
   bool              Save(Rows &rows)
     {
      if(rows.Count()==0)
        {
         if(m_records>0 && FileDelete(m_name))
            m_records=0;
         return(m_records==0);
        }
      bool isUsable=(m_records>0 && m_records<MAX_RECORDS && !m_isSpoilt);
      if(isUsable && m_version==rows.Version())
         return(Append(rows));
      return(WriteAnew(rows));
     }
  };
//+------------------------------------------------------------------+
